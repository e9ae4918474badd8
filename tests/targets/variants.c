/* Runs the kernels of one family of processors on an emulated one, as they ship and in portable C, on random shapes and
 * streams: the same bytes, and none but the output's. Built and run by variants.sh, which gives the portable ones their
 * prefix. SPDX-License-Identifier: MIT-0 */
#include <stddef.h>

#include "rip/kernels.h"

#define MOST_BYTES 16384
#define MOST_WORDS 8192
#define CASES 60 /* of each kernel */

enum { GUARD = 32 };

static int8_t input[MOST_BYTES], output[2][MOST_BYTES];
static int32_t scratch[MOST_WORDS], kept[MOST_WORDS], stream[MOST_WORDS];
static uint32_t seed = 1;

void* memcpy(void* to, const void* from, size_t bytes) {
  size_t i;
  for (i = 0; i < bytes; i++) ((volatile char*)to)[i] = ((const char*)from)[i];
  return to;
}

void* memset(void* to, int value, size_t bytes) {
  size_t i;
  for (i = 0; i < bytes; i++) ((volatile char*)to)[i] = (char)value;
  return to;
}

/* Uniform, both ends included. */
static int32_t number(int32_t least, int32_t most) {
  seed = seed * 1664525U + 1013904223U;
  return least + (int32_t)((seed >> 8) % (uint32_t)(most - least + 1));
}

static int32_t any_bits(void) { return (int32_t)((uint32_t)number(0, 0xffff) << 16 | (uint32_t)number(0, 0xffff)); }

static void report(const char* text) {
  register uint32_t operation __asm__("r0") = 4; /* SYS_WRITE0 */
  register const char* argument __asm__("r1") = text;
  __asm__ volatile("bkpt 0xab" : "+r"(operation) : "r"(argument) : "memory");
}

static void leave(int code) {
  const uint32_t block[2] = {0x20026U, (uint32_t)code}; /* ADP_Stopped_ApplicationExit */
  register uint32_t operation __asm__("r0") = 0x20U;    /* SYS_EXIT_EXTENDED */
  register const uint32_t* argument __asm__("r1") = block;
  __asm__ volatile("bkpt 0xab" : "+r"(operation) : "r"(argument) : "memory");
  for (;;) {
  }
}

static void same_outputs(const char* kernel) {
  int32_t i;
  for (i = 0; i < MOST_BYTES; i++) {
    if (output[0][i] == output[1][i]) continue;
    report(kernel);
    report(" differs from its portable self\n");
    leave(1);
  }
}

static void randomise(void) {
  int32_t i;
  for (i = 0; i < MOST_BYTES; i++) {
    input[i] = (int8_t)number(-128, 127);
    output[0][i] = output[1][i] = (int8_t)(i * 37);
  }
}

/* A window and the rows and columns that it makes. */
typedef struct axis {
  int32_t stride, pad, in, out;
} axis;

static axis random_axis(int32_t kernel, int32_t most_stride, int32_t most_in) {
  axis a;
  do {
    a.stride = number(1, most_stride);
    a.pad = number(0, kernel - 1);
    a.in = number(1, most_in);
    a.out = a.in + a.pad + number(0, kernel - 1) - kernel;
  } while (a.out < 0);
  a.out = a.out / a.stride + 1;
  return a;
}

typedef void any_kernel(const void* op, const rip_row_call* call);

/* Row by row, each in so many blocks of columns, from the top and the left or (step -1) from the other end; or all in
 * one call. A kernel that takes any scratch has `scratch_bytes`. */
static void run(any_kernel* kernel, const void* op, int32_t rows_of_kernel, axis y, axis x, int32_t in_channels,
                int32_t out_channels, int whole, int32_t step, int32_t blocks, int32_t scratch_bytes, int8_t* out) {
  const int8_t* rows[7];
  rip_row_call call;
  int32_t i, j;
  memset(&call, 0, sizeof call);
  for (j = 0; j < MOST_WORDS; j++) scratch[j] = kept[j] = any_bits();
  call.rows = rows;
  call.in_pitch = in_channels;
  call.out_pitch = out_channels;
  call.x1 = x.out;
  call.step = step;
  call.scratch = scratch;
  call.scratch_bytes = scratch_bytes;
  call.kept = kept;
  for (i = 0; i < (whole ? 1 : y.out); i++) {
    const int32_t row = step > 0 ? i : y.out - 1 - i, part = (x.out + blocks - 1) / blocks;
    int32_t block;
    call.y = row;
    for (j = 0; j < rows_of_kernel; j++) {
      const int32_t at = row * y.stride - y.pad + j;
      rows[j] = at >= 0 && at < y.in ? input + at * x.in * in_channels : NULL;
    }
    if (whole) rows[0] = input;
    call.out = out + GUARD + row * x.out * out_channels;
    for (block = 0; block < blocks; block++) {
      const int32_t at = (step > 0 ? block : blocks - 1 - block) * part;
      call.x0 = at < x.out ? at : x.out;
      call.x1 = at + part < x.out ? at + part : x.out;
      if (call.x0 < call.x1) kernel(op, &call);
    }
  }
}

#if defined(FAMILY_DSP)

static void put_finish(int32_t* to) {
  to[0] = number(1 << 30, 0x7fffffff);
  to[2] = number(8, 14);
  to[1] = (1 << (to[2] - 1)) + number(-128, 127) * (1 << to[2]);
}

/* Columns of a small plane, short or long. */
static axis small_axis(int32_t size) {
  const int32_t together = RIP_SMALL_OUTPUTS(size), most = number(0, 1) ? 20 : 95;
  for (;;) {
    const axis a = random_axis(size, 2, most);
    const int32_t padded = ((a.out > together ? a.out : together) - 1) * a.stride + size;
    if (size * padded <= RIP_SMALL_STACK) return a;
    if (a.pad <= together * a.stride && (a.out - together - 1) * a.stride - a.pad + size <= a.in) return a;
  }
}

enum { ROWS, PLANES, SMALL_PLANES };

static void depthwise(const char* name, any_kernel* kernel, any_kernel* portable, int32_t size, int planes) {
  const int32_t strips = (size + 1) / 2, record = 1 + strips * size + 3;
  int32_t i, j;
  for (i = 0; i < CASES; i++) {
    const axis y = random_axis(size, 3, 9), x = planes == SMALL_PLANES ? small_axis(size) : random_axis(size, 2, 20);
    const int32_t together = x.out > 6 ? x.out : 6;
    rip_depthwise_dsp op;
    op.stream = stream;
    op.channels = number(4, 13);
    op.in_height = y.in;
    op.in_width = x.in;
    op.out_height = y.out;
    op.out_width = x.out;
    op.stride_h = y.stride;
    op.pad_h = y.pad;
    op.stride_w = x.stride;
    op.pad_w = x.pad;
    op.strip_words = (together - 1) * x.stride + size;
    op.in_zero = number(-128, 127);
    op.odd_rounding = number(0, 1);
    op.act_min = number(0, 3) == 0 ? -50 : -128;
    op.act_max = number(0, 3) == 0 ? 50 : 127;
    for (j = 0; j < op.channels * 2; j++) {
      int32_t* const words = stream + j * record;
      int32_t w;
      words[0] = number(-100000, 100000);
      for (w = 1; w <= strips * size; w++) {
        const int single = planes == SMALL_PLANES && w % strips == 0; /* the last word of a row of weights */
        words[w] = number(-254, 254) * 65536 + number(-254, 254);
        if (single) words[w] &= 0xffff;
      }
      put_finish(words + record - 3);
    }
    randomise();
    {
      const int32_t step = planes || number(0, 1) ? 1 : -1, blocks = planes ? 1 : number(1, 3);
      const int32_t most = 4 * (4 * (strips - 1) + 2) * op.strip_words, bytes = number(0, 1) ? most : number(0, most);
      run(kernel, &op, size, y, x, op.channels, op.channels, planes, step, blocks, bytes, output[0]);
      run(portable, &op, size, y, x, op.channels, op.channels, planes, step, blocks, bytes, output[1]);
    }
    same_outputs(name);
  }
}

/* `least`: 1: the scratch has a pixel of the output at least, 2: the taps of two pixels. */
static void convolution(const char* name, any_kernel* kernel, any_kernel* portable, int wide, int least) {
  int32_t i, j;
  for (i = 0; i < 4 * CASES; i++) {
    const int32_t size = number(1, 3), dilation = number(1, 2), taps_step = wide ? RIP_DSP_WIDE_STEP : RIP_DSP_STEP;
    const axis y = random_axis(size, 2, 5), x = random_axis((size - 1) * dilation + 1, 2, 9);
    const int32_t step = number(0, 1) ? 1 : -1, blocks = number(1, 2), fours = number(0, 2);
    rip_conv2d_dsp op;
    int32_t own_taps, taps, pair, most, bytes, *next = stream;
    op.stream = stream;
    op.in_width = x.in;
    op.in_channels = fours ? 4 * number(1, 5) : number(1, 12);
    op.out_channels = number(1, 24);
    op.kernel_h = op.kernel_w = size;
    op.stride_w = x.stride;
    op.dilation_w = dilation;
    op.pad_w = x.pad;
    op.in_zero = number(-128, 127);
    op.common_shift = number(0, 1) ? number(RIP_DSP_LEAST_SHIFT, RIP_DSP_MOST_SHIFT) : 0;
    op.odd_rounding = op.common_shift == 0 ? number(0, 1) : 0;
    op.act_min = number(0, 3) == 0 ? -50 : -128;
    op.act_max = number(0, 3) == 0 ? 50 : 127;
    own_taps = size * size * op.in_channels;
    taps = (own_taps + taps_step - 1) / taps_step * taps_step;
    for (pair = 0; 2 * pair < op.out_channels; pair++) {
      *next++ = number(-100000, 100000);
      *next++ = number(-100000, 100000);
      for (j = 0; j < (wide ? taps : taps / 2); j++) *next++ = any_bits();
      for (j = 0; j < 2; j++, next += 3) {
        put_finish(next);
        if (op.common_shift != 0) next[2] = number(1, 8);
      }
    }
    most = 4 * taps;
    bytes = least == 2 || number(0, 2) == 0 ? most : number(least == 1 ? op.out_channels : 0, most);
    randomise();
    run(kernel, &op, size, y, x, op.in_channels, op.out_channels, 0, step, blocks, bytes, output[0]);
    run(portable, &op, size, y, x, op.in_channels, op.out_channels, 0, step, blocks, bytes, output[1]);
    same_outputs(name);
  }
}

#define CONVOLUTION(kernel, wide, least)                                                                       \
  void portable_##kernel(const rip_conv2d_dsp* op, const rip_row_call* call);                                  \
  static void run_##kernel(const void* op, const rip_row_call* call) { kernel(op, call); }                     \
  static void run_portable_##kernel(const void* op, const rip_row_call* call) { portable_##kernel(op, call); } \
  static void check_##kernel(void) { convolution(#kernel, run_##kernel, run_portable_##kernel, wide, least); }
CONVOLUTION(rip_conv2d_dsp_row, 0, 2)
CONVOLUTION(rip_conv2d_dsp_own_row, 0, 1)
CONVOLUTION(rip_conv2d_dsp_direct_row, 0, 0)
CONVOLUTION(rip_conv2d_dsp_wide_row, 1, 2)
CONVOLUTION(rip_conv2d_dsp_wide_own_row, 1, 1)
CONVOLUTION(rip_conv2d_dsp_wide_direct_row, 1, 0)

#define DEPTHWISE(kernel, size, planes)                                                                        \
  void portable_##kernel(const rip_depthwise_dsp* op, const rip_row_call* call);                               \
  static void run_##kernel(const void* op, const rip_row_call* call) { kernel(op, call); }                     \
  static void run_portable_##kernel(const void* op, const rip_row_call* call) { portable_##kernel(op, call); } \
  static void check_##kernel(void) { depthwise(#kernel, run_##kernel, run_portable_##kernel, size, planes); }
DEPTHWISE(rip_depthwise3_dsp_row, 3, ROWS)
DEPTHWISE(rip_depthwise5_dsp_row, 5, ROWS)
DEPTHWISE(rip_depthwise7_dsp_row, 7, ROWS)
DEPTHWISE(rip_depthwise3_dsp_kept_row, 3, ROWS)
DEPTHWISE(rip_depthwise5_dsp_kept_row, 5, ROWS)
DEPTHWISE(rip_depthwise7_dsp_kept_row, 7, ROWS)
DEPTHWISE(rip_depthwise3_dsp_plane, 3, PLANES)
DEPTHWISE(rip_depthwise5_dsp_plane, 5, PLANES)
DEPTHWISE(rip_depthwise7_dsp_plane, 7, PLANES)
DEPTHWISE(rip_depthwise3_dsp_small_plane, 3, SMALL_PLANES)
DEPTHWISE(rip_depthwise5_dsp_small_plane, 5, SMALL_PLANES)
DEPTHWISE(rip_depthwise7_dsp_small_plane, 7, SMALL_PLANES)

static void check_all(void) {
  check_rip_depthwise3_dsp_row();
  check_rip_depthwise5_dsp_row();
  check_rip_depthwise7_dsp_row();
  check_rip_depthwise3_dsp_kept_row();
  check_rip_depthwise5_dsp_kept_row();
  check_rip_depthwise7_dsp_kept_row();
  check_rip_depthwise3_dsp_plane();
  check_rip_depthwise5_dsp_plane();
  check_rip_depthwise7_dsp_plane();
  check_rip_depthwise3_dsp_small_plane();
  check_rip_depthwise5_dsp_small_plane();
  check_rip_depthwise7_dsp_small_plane();
  check_rip_conv2d_dsp_row();
  check_rip_conv2d_dsp_own_row();
  check_rip_conv2d_dsp_direct_row();
  check_rip_conv2d_dsp_wide_row();
  check_rip_conv2d_dsp_wide_own_row();
  check_rip_conv2d_dsp_wide_direct_row();
}

#else

static void put_output(int32_t* to) {
  to[0] = number(-400000, 0);
  to[1] = number(1, 400000);
  to[2] = number(0, 1023);
  to[3] = number(0, 1023);
  to[4] = number(0, 1 << 15);
  to[5] = any_bits();
  to[6] = any_bits();
}

static int32_t weights(void) { return number(-127, 127) * 65536 + number(-127, 127); }

/* Two of these may be summed. */
static int32_t small_weights(void) { return number(-63, 63) * 65536 + number(-63, 63); }

static void depthwise(const char* name, any_kernel* kernel, any_kernel* portable, int32_t size, int planes, int small) {
  const int32_t strips = (size + 1) / 2, record = 1 + strips * size + RIP_M0_OUTPUT;
  int32_t i, j;
  for (i = 0; i < CASES; i++) {
    const axis y = random_axis(size, 3, 9), x = random_axis(size, 2, 20);
    const int32_t step = planes ? 1 : 2 * number(0, 1) - 1, blocks = planes ? 1 : number(1, 3);
    rip_depthwise_m0 op;
    int32_t most;
    op.stream = stream;
    op.channels = number(1, 9);
    op.in_height = y.in;
    op.in_width = x.in;
    op.out_height = y.out;
    op.out_width = x.out;
    op.stride_h = y.stride;
    op.pad_h = y.pad;
    op.stride_w = x.stride;
    op.pad_w = x.pad;
    op.strip_words = (x.out - 1) * x.stride + size;
    op.in_zero = number(-128, 127);
    for (j = 0; j < op.channels * 2; j++) {
      int32_t* const words = stream + j * record;
      int32_t w;
      words[0] = number(-100000, 100000);
      for (w = 1; w <= strips * size; w++) words[w] = weights();
      put_output(words + record - RIP_M0_OUTPUT);
    }
    most = 4 * strips * op.strip_words + 3;
    if (small && most > 4 * RIP_M0_STACK + 3) continue;
    randomise();
    run(kernel, &op, size, y, x, op.channels, op.channels, planes, step, blocks, number(0, 1) * number(0, most),
        output[0]);
    run(portable, &op, size, y, x, op.channels, op.channels, planes, step, blocks, most, output[1]);
    same_outputs(name);
  }
}

/* `small`: with few taps. */
static void convolution(const char* name, any_kernel* kernel, any_kernel* portable, int small) {
  int32_t i, j;
  for (i = 0; i < CASES; i++) {
    const int32_t size = number(1, 3);
    const axis y = random_axis(size, 2, 5), x = random_axis(size, 2, 9);
    rip_conv2d_m0 op;
    int32_t words, pair, *next = stream;
    op.stream = stream;
    op.in_width = x.in;
    op.in_channels = number(1, small ? 2 * RIP_M0_STACK / (size * size) : 20);
    op.out_channels = number(1, small ? 9 : 40);
    op.kernel_h = op.kernel_w = size;
    op.stride_w = x.stride;
    op.dilation_w = 1;
    op.pad_w = x.pad;
    op.in_zero = number(-128, 127);
    words = (size * size * op.in_channels + RIP_M0_STEP - 1) / RIP_M0_STEP * (RIP_M0_STEP / 2); /* of a channel */
    for (pair = 0; 2 * pair < op.out_channels; pair++) {
      const int32_t loose = number(0, 1) * number(0, 5);
      *next++ = number(-100000, 100000);
      *next++ = number(-100000, 100000);
      for (j = 0; j < 2 * words; j++) *next++ = small_weights();
      *next++ = loose;
      for (j = 0; j < loose; j++) {
        *next++ = 4 * number(0, words - 1);
        *next++ = weights();
        *next++ = weights();
      }
      put_output(next);
      put_output(next + RIP_M0_OUTPUT);
      next += 2 * RIP_M0_OUTPUT;
    }
    randomise();
    run(kernel, &op, size, y, x, op.in_channels, op.out_channels, 0, 1, 1, number(0, 1) * number(0, 4 * words + 3),
        output[0]);
    run(portable, &op, size, y, x, op.in_channels, op.out_channels, 0, 1, 1, 0, output[1]);
    same_outputs(name);
  }
}

#define DEPTHWISE(kernel, size, planes, small)                                                                 \
  void portable_##kernel(const rip_depthwise_m0* op, const rip_row_call* call);                                \
  static void run_##kernel(const void* op, const rip_row_call* call) { kernel(op, call); }                     \
  static void run_portable_##kernel(const void* op, const rip_row_call* call) { portable_##kernel(op, call); } \
  static void check_##kernel(void) { depthwise(#kernel, run_##kernel, run_portable_##kernel, size, planes, small); }
DEPTHWISE(rip_depthwise3_m0_row, 3, 0, 0)
DEPTHWISE(rip_depthwise5_m0_row, 5, 0, 0)
DEPTHWISE(rip_depthwise7_m0_row, 7, 0, 0)
DEPTHWISE(rip_depthwise3_m0_plane, 3, 1, 0)
DEPTHWISE(rip_depthwise3_m0_small_plane, 3, 1, 1)
DEPTHWISE(rip_depthwise5_m0_plane, 5, 1, 0)
DEPTHWISE(rip_depthwise5_m0_small_plane, 5, 1, 1)
DEPTHWISE(rip_depthwise7_m0_plane, 7, 1, 0)
DEPTHWISE(rip_depthwise7_m0_small_plane, 7, 1, 1)

void portable_rip_conv2d_m0_row(const rip_conv2d_m0* op, const rip_row_call* call);
static void run_convolution(const void* op, const rip_row_call* call) { rip_conv2d_m0_row(op, call); }
static void run_small_convolution(const void* op, const rip_row_call* call) { rip_conv2d_small_m0_row(op, call); }
static void run_any_convolution(const void* op, const rip_row_call* call) { rip_conv2d_any_m0_row(op, call); }
static void run_portable_convolution(const void* op, const rip_row_call* call) { portable_rip_conv2d_m0_row(op, call); }

static void check_all(void) {
  check_rip_depthwise3_m0_row();
  check_rip_depthwise5_m0_row();
  check_rip_depthwise7_m0_row();
  check_rip_depthwise3_m0_plane();
  check_rip_depthwise3_m0_small_plane();
  check_rip_depthwise5_m0_plane();
  check_rip_depthwise5_m0_small_plane();
  check_rip_depthwise7_m0_plane();
  check_rip_depthwise7_m0_small_plane();
  convolution("rip_conv2d_m0_row", run_convolution, run_portable_convolution, 0);
  convolution("rip_conv2d_small_m0_row", run_small_convolution, run_portable_convolution, 1);
  convolution("rip_conv2d_any_m0_row", run_any_convolution, run_portable_convolution, 0);
}

#endif

static void reset(void) {
  check_all();
  leave(0);
}

static void fault(void) {
  report("a fault of the processor\n");
  leave(2);
}

typedef struct vector_table {
  uint32_t stack;
  void (*handlers[15])(void);
} vector_table;

/* The stack lies above the variables; both are in the first of four megabytes. */
__attribute__((section(".vectors"), used)) static const vector_table vectors = {
    0x20100000U, {reset, fault, fault, fault, fault, fault, fault}};
