/* The kernels of the audio front end of TensorFlow Lite Micro, in integers, over one vector, and their parameters: see
 * rip/kernels.h. SPDX-License-Identifier: MIT-0 */
#ifndef RIP_SIGNAL_H
#define RIP_SIGNAL_H

#include "rip/call.h"

#ifdef __cplusplus
extern "C" {
#endif

/* SignalWindow of int16: each sample times its weight, shifted to the right and held to int16. */
typedef struct rip_signal_window {
  const int16_t* weights; /* [period] */
  int32_t samples, period, shift;
} rip_signal_window;

void rip_signal_window_whole(const rip_signal_window* op, const rip_row_call* call);

typedef struct rip_signal_vector {
  int32_t size;       /* of the vector; of a spectrum its complex points */
  int32_t first, end; /* SignalEnergy: the points from first to before end; 0 for the others */
} rip_signal_vector;

/* SignalFftAutoScale of int16: the shift to the left that no sample overflows, as int32; and the samples shifted. */
void rip_signal_headroom_whole(const rip_signal_vector* op, const rip_row_call* call);
void rip_signal_scale_whole(const rip_signal_vector* op, const rip_row_call* call);

/* SignalEnergy: from complex int16 to uint32. */
void rip_signal_energy_whole(const rip_signal_vector* op, const rip_row_call* call);

/* SignalFilterBankSquareRoot: rows[0] of uint64 to uint32, shifted to the right by the int32 at rows[1]. */
void rip_signal_square_root_whole(const rip_signal_vector* op, const rip_row_call* call);

/* SignalRfft of int16: `samples` of them, and zeros, as the real and imaginary parts of `points` complex numbers, to
 * points + 1 complex int16. A transform of n points has the n-th roots of one as pairs of Q.15. */
typedef struct rip_signal_rfft {
  const int16_t* twiddles;  /* [points][2]: cos and sin of -2 pi i / points */
  const int16_t* unpacking; /* [points / 2][2]: of -pi ((i + 1) / points + 1/2) */
  int32_t samples;
  int32_t points; /* a power of two */
} rip_signal_rfft;

void rip_signal_rfft_whole(const rip_signal_rfft* op, const rip_row_call* call);

/* SignalFilterBank: from uint32 to uint64. */
typedef struct rip_signal_filter_bank {
  const int16_t* weights; /* of each point of each band, into its own channel */
  const int16_t* rests;   /* the same, into the next channel */
  const int16_t* bands;   /* [channels + 1][3]: first point, first weight, points */
  int32_t channels;
} rip_signal_filter_bank;

void rip_signal_filter_bank_whole(const rip_signal_filter_bank* op, const rip_row_call* call);

/* SignalFilterBankSpectralSubtraction of uint32. call->state: the estimate of each channel's noise as uint32. Weights
 * are in parts of 2^weight_bits; channels count from 0. */
typedef struct rip_signal_noise {
  int32_t channels;
  int32_t even_weight, even_rest, odd_weight, odd_rest; /* of the signal, and of the estimate so far */
  int32_t smoothing_bits, weight_bits;
  int32_t least_part; /* of the signal that remains */
  int32_t clamps;     /* 1: the estimate is held to the signal */
} rip_signal_noise;

void rip_signal_noise_whole(const rip_signal_noise* op, const rip_row_call* call); /* the estimate */
/* The signal at rows[0] without the noise at rows[1]. */
void rip_signal_denoise_whole(const rip_signal_noise* op, const rip_row_call* call);

/* SignalPCAN: the signal at rows[0] times the gain that belongs to the noise at rows[1], both of uint32. */
typedef struct rip_signal_gain {
  const int16_t* table; /* [125] */
  int32_t channels;
  int32_t shift; /* of the product to the right, to Q.12 */
} rip_signal_gain;

void rip_signal_gain_whole(const rip_signal_gain* op, const rip_row_call* call);

/* SignalFilterBankLog: from uint32 to int16. */
typedef struct rip_signal_log {
  const uint16_t* table; /* [130]: log2(1 + i / 128) - i / 128 in Q.16 */
  int32_t channels;
  int32_t shift; /* to the left */
  int32_t scale;
} rip_signal_log;

void rip_signal_log_whole(const rip_signal_log* op, const rip_row_call* call);

#ifdef __cplusplus
}
#endif
#endif
