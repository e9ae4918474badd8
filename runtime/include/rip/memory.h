/* memcpy and its kin, also where there is no C library: a compiler for a freestanding target asks for them all the
 * same. SPDX-License-Identifier: MIT-0 */
#ifndef RIP_MEMORY_H
#define RIP_MEMORY_H

#if __STDC_HOSTED__
#include <string.h>
#else
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif
void* memcpy(void* to, const void* from, size_t bytes);
void* memmove(void* to, const void* from, size_t bytes);
void* memset(void* to, int value, size_t bytes);
#ifdef __cplusplus
}
#endif
#endif
#endif
