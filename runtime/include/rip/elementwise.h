/* The kernels that make scalar after scalar, of one operand or of two, and their parameters: see rip/kernels.h.
 * SPDX-License-Identifier: MIT-0 */
#ifndef RIP_ELEMENTWISE_H
#define RIP_ELEMENTWISE_H

#include "rip/call.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How a row of an operand is read, as a sum: a pixel of its own for every pixel of the output, or one for all; a scalar
 * of its own for every channel, or one for all; through rip_flash_*. */
enum { RIP_EVERY_PIXEL = 1, RIP_EVERY_CHANNEL = 2, RIP_IN_FLASH = 4 };

/* ADD and SUB of int8 or int16: each operand is requantized from (x - zero) * 2^20 (int16: 2^15), then their sum or
 * difference. SQUARED_DIFFERENCE: from (x - zero) * 2^7 (int16: 1), then the square of the difference. */
typedef struct rip_add {
  int32_t channels;
  int32_t operand0, operand1; /* how rows[0] and rows[1] are read */
  int32_t sign1;              /* -1: the second is subtracted */
  int32_t zero0, multiplier0, shift0;
  int32_t zero1, multiplier1, shift1;
  int32_t out_zero, out_multiplier, out_shift;
  int32_t act_min, act_max;
} rip_add;

void rip_add_s8_row(const rip_add* op, const rip_row_call* call);
void rip_add_s16_row(const rip_add* op, const rip_row_call* call);
void rip_squared_difference_s8_row(const rip_add* op, const rip_row_call* call);
void rip_squared_difference_s16_row(const rip_add* op, const rip_row_call* call);

/* ADD and SUB of int8, neither operand broadcast or constant: clamp((the sum of two entries of the tables) >> shift).
 */
typedef struct rip_add_table {
  const int32_t *table0, *table1; /* [256] what a scalar adds to the sum, by its bits as an unsigned byte */
  int32_t channels;
  int32_t shift;
  int32_t act_min, act_max;
} rip_add_table;

void rip_add_table_row(const rip_add_table* op, const rip_row_call* call);

/* MUL of int8 or int16: (x0 - zero0) * (x1 - zero1), requantized. DIV of int8: their quotient; nothing divided by zero
 * is nothing, all else saturates. */
typedef struct rip_mul {
  int32_t channels;
  int32_t operand0, operand1; /* how rows[0] and rows[1] are read */
  int32_t zero0, zero1;
  int32_t multiplier, shift;
  int32_t out_zero;
  int32_t act_min, act_max;
} rip_mul;

void rip_mul_s8_row(const rip_mul* op, const rip_row_call* call);
void rip_mul_s16_row(const rip_mul* op, const rip_row_call* call);
void rip_div_s8_row(const rip_mul* op, const rip_row_call* call);

/* MINIMUM and MAXIMUM of int8 or int16: the stored values as they are. */
typedef struct rip_minmax {
  int32_t channels;
  int32_t operand0, operand1; /* how rows[0] and rows[1] are read */
  int32_t maximum;
} rip_minmax;

void rip_minmax_s8_row(const rip_minmax* op, const rip_row_call* call);
void rip_minmax_s16_row(const rip_minmax* op, const rip_row_call* call);

/* PRELU: x0 - zero0 requantized, below zero its product with x1 - zero1. */
typedef struct rip_prelu_s8 {
  int32_t channels;
  int32_t operand0, operand1; /* how rows[0] and rows[1] are read */
  int32_t zero0, zero1;
  int32_t multiplier, shift;
  int32_t slope_multiplier, slope_shift;
  int32_t out_zero;
} rip_prelu_s8;

void rip_prelu_s8_row(const rip_prelu_s8* op, const rip_row_call* call);

/* What the kernels of more than one function compute. */
typedef enum rip_function {
  RIP_ABS,
  RIP_ADD,
  RIP_CLAMP, /* to low and high */
  RIP_DIVIDE,
  RIP_ELU,
  RIP_EXP,
  RIP_FLOOR_DIVIDE, /* rounded down */
  RIP_FLOOR_MODULO, /* what it leaves: of the divisor's sign */
  RIP_HARD_SWISH,
  RIP_LEAKY_RELU, /* low: the slope below zero */
  RIP_LOG,
  RIP_LOGISTIC,
  RIP_MAXIMUM,
  RIP_MINIMUM,
  RIP_MULTIPLY,
  RIP_NEG,
  RIP_PRELU,
  RIP_RELU,
  RIP_RSQRT,
  RIP_SQRT,
  RIP_SQUARE,
  RIP_SQUARED_DIFFERENCE,
  RIP_SUBTRACT,
  RIP_TANH
} rip_function;

/* Functions of two operands in binary32. The limits hold for the first four rules of arithmetic. */
typedef struct rip_pair_f32 {
  int32_t function; /* rip_function */
  int32_t channels;
  int32_t operand0, operand1; /* how rows[0] and rows[1] are read */
  float act_min, act_max;
} rip_pair_f32;

void rip_pair_f32_row(const rip_pair_f32* op, const rip_row_call* call);

/* Functions of two operands of int32, modulo 2^32. Division by zero gives 0. */
typedef struct rip_pair_s32 {
  int32_t function; /* rip_function */
  int32_t channels;
  int32_t operand0, operand1; /* how rows[0] and rows[1] are read */
} rip_pair_s32;

void rip_pair_s32_row(const rip_pair_s32* op, const rip_row_call* call);

/* Functions of one operand in binary32. The second kernel has ELU, EXP, LOG, LOGISTIC, TANH. */
typedef struct rip_unary_f32 {
  int32_t function; /* rip_function */
  int32_t channels;
  float low, high;
} rip_unary_f32;

void rip_unary_f32_row(const rip_unary_f32* op, const rip_row_call* call);
void rip_exponential_f32_row(const rip_unary_f32* op, const rip_row_call* call);

/* LOGISTIC and TANH of int16, to a scale of 2^-15: the table has the logistic function of i / 24, times 2^16. */
typedef struct rip_sigmoid_s16 {
  const uint16_t* table; /* [256] */
  int32_t channels;
  int32_t multiplier, shift; /* x * multiplier / 2^shift is at a scale of 1 / (3 * 2^12) */
  int32_t tanh;
} rip_sigmoid_s16;

void rip_sigmoid_s16_row(const rip_sigmoid_s16* op, const rip_row_call* call);

/* LEAKY_RELU and ABS of int16: x requantized, with other numbers below zero. */
typedef struct rip_slopes_s16 {
  int32_t channels;
  int32_t absolute; /* 1: |x| in its place */
  int32_t multiplier, shift;
  int32_t below_multiplier, below_shift, below_negative;
} rip_slopes_s16;

void rip_slopes_s16_row(const rip_slopes_s16* op, const rip_row_call* call);

/* CAST: from binary32 towards zero, held to the range of the other type, NaN to 0; to a smaller integer modulo its
 * size; to a boolean whether it is other than 0. */
typedef enum rip_type { RIP_BOOL, RIP_F32, RIP_S16, RIP_S32, RIP_S64, RIP_S8, RIP_U8 } rip_type;

typedef struct rip_cast {
  int32_t from, to; /* rip_type */
  int32_t channels;
} rip_cast;

void rip_cast_row(const rip_cast* op, const rip_row_call* call);

#ifdef __cplusplus
}
#endif
#endif
