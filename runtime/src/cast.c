/* Scalars of one type from those of another. SPDX-License-Identifier: MIT-0 */
#include "rip/flash.h"
#include "rip/kernels.h"
#include "rip/memory.h"
#include "rip/scalars.h"
#include "rip/singles.h"

static int32_t bytes_of(int32_t type) {
  switch (type) {
    case RIP_S64:
      return 8;
    case RIP_F32:
    case RIP_S32:
      return 4;
    case RIP_S16:
      return 2;
    default:
      return 1;
  }
}

/* Of any type but binary32. */
static int64_t load(const int8_t* in, int32_t type) {
  int64_t wide;
  switch (type) {
    case RIP_S64:
      memcpy(&wide, in, sizeof wide);
      return wide;
    case RIP_S32:
      return rip_load_s32(in);
    case RIP_S16:
      return rip_load_s16(in);
    case RIP_U8:
      return (uint8_t)*in;
    case RIP_BOOL:
      return *in != 0;
    default:
      return *in;
  }
}

static void store(int8_t* out, int32_t type, int64_t x) {
  switch (type) {
    case RIP_S64:
      memcpy(out, &x, sizeof x);
      break;
    case RIP_S32:
      rip_store_s32(out, (int32_t)(uint32_t)(uint64_t)x);
      break;
    case RIP_S16:
      rip_store_s16(out, (int16_t)(uint16_t)(uint64_t)x);
      break;
    case RIP_BOOL:
      *out = x != 0;
      break;
    default:
      *out = (int8_t)(uint8_t)(uint64_t)x;
      break;
  }
}

/* Towards zero, held to the range of the type. */
static int64_t whole(float x, int32_t type) {
  const int32_t bits = 8 * bytes_of(type);
  const int64_t most = type == RIP_U8 ? UINT8_MAX : (int64_t)(((uint64_t)1 << (bits - 1)) - 1);
  const int64_t least = type == RIP_U8 ? 0 : -most - 1;
  if (x >= (float)most) return most; /* rounded up at most, to what the type no longer holds */
  if (x <= (float)least) return least;
  return x == x ? (int64_t)x : 0;
}

static inline void convert(const void* params, const int8_t* in, int8_t* out) {
  const rip_cast* op = (const rip_cast*)params;
  if (op->from != RIP_F32) {
    const int64_t x = load(in, op->from);
    if (op->to == RIP_F32) {
      rip_store_f32(out, (float)x);
    } else {
      store(out, op->to, x);
    }
  } else {
    const float x = rip_load_f32(in);
    if (op->to == RIP_F32) {
      rip_store_f32(out, x);
    } else if (op->to == RIP_BOOL) {
      *out = x != 0.0F;
    } else {
      store(out, op->to, whole(x, op->to));
    }
  }
}

RIP_HOT void rip_cast_row(const rip_cast* params, const rip_row_call* call) {
  RIP_FLASH_STRUCT(rip_cast, op, params);
  rip_each_single(op, call, op->channels, bytes_of(op->from), bytes_of(op->to), convert);
}
