/* How constants are placed and read. Weights, tables and parameter structs are read through these accessors only, so
 * that a target whose flash is no plain memory needs no other kernels. SPDX-License-Identifier: MIT-0 */
#ifndef RIP_FLASH_H
#define RIP_FLASH_H

#include <stdint.h>

#if defined(__AVR__)
#include <avr/pgmspace.h>
#endif

/* Where constants go. */
#ifndef RIP_FLASH_ATTR
#if defined(__AVR__)
#define RIP_FLASH_ATTR PROGMEM
#else
#define RIP_FLASH_ATTR
#endif
#endif

/* Where weights, tables and parameters go: define it to move them, say, to external flash. */
#ifndef RIP_WEIGHTS_ATTR
#define RIP_WEIGHTS_ATTR RIP_FLASH_ATTR
#endif

/* Put before each kernel: define it to place hot code, say, in RAM. */
#ifndef RIP_HOT
#define RIP_HOT
#endif

#if defined(__AVR__)

static inline int8_t rip_flash_s8(const int8_t* p) { return (int8_t)pgm_read_byte(p); }
static inline int16_t rip_flash_s16(const int16_t* p) { return (int16_t)pgm_read_word(p); }
static inline uint16_t rip_flash_u16(const uint16_t* p) { return pgm_read_word(p); }
static inline int32_t rip_flash_s32(const int32_t* p) { return (int32_t)pgm_read_dword(p); }
static inline int64_t rip_flash_s64(const int64_t* p) {
  int64_t value;
  memcpy_P(&value, p, sizeof value);
  return value;
}
static inline float rip_flash_f32(const float* p) { return pgm_read_float(p); }
static inline const void* rip_flash_pointer(const void* const* p) { return pgm_read_ptr(p); }

/* Declares `const type *name`, through which the struct at `pointer` in flash can be read. */
#define RIP_FLASH_STRUCT(type, name, pointer) \
  type name##_copy;                           \
  const type* const name = (const type*)memcpy_P(&name##_copy, (pointer), sizeof name##_copy)

#else

static inline int8_t rip_flash_s8(const int8_t* p) { return *p; }
static inline int16_t rip_flash_s16(const int16_t* p) { return *p; }
static inline uint16_t rip_flash_u16(const uint16_t* p) { return *p; }
static inline int32_t rip_flash_s32(const int32_t* p) { return *p; }
static inline int64_t rip_flash_s64(const int64_t* p) { return *p; }
static inline float rip_flash_f32(const float* p) { return *p; }
static inline const void* rip_flash_pointer(const void* const* p) { return *p; }

/* Declares `const type *name`, through which the struct at `pointer` in flash can be read. */
#define RIP_FLASH_STRUCT(type, name, pointer) const type* const name = (pointer)

#endif

#endif
