#ifndef PARLEY_SILERO_H
#define PARLEY_SILERO_H

// The Silero voice activity detection network for 16 kHz, version 6, in plain C: about 0.7 million multiplications for
// 32 ms of sound, so that the main process needs no inference library for it. All tensors are row by row, in the shapes
// of the published weights. No allocation, no failure, no global state.

enum { SILERO_WINDOW = 512, SILERO_CONTEXT = 64, SILERO_STATE = 128 };

typedef struct {
  const float *basis;                        // [258][256]: cosines, then sines
  const float *weight1, *bias1;              // [128][129][3]
  const float *weight2, *bias2;              // [64][128][3]
  const float *weight3, *bias3;              // [64][64][3]
  const float *weight4, *bias4;              // [128][64][3]
  const float *input_weight, *input_bias;    // [512][128]: gates input, forget, cell, output
  const float *hidden_weight, *hidden_bias;  // [512][128]
  const float *final_weight, *final_bias;    // [128], [1]
} silero_weights;

typedef struct {
  float context[SILERO_CONTEXT];
  float hidden[SILERO_STATE];
  float cell[SILERO_STATE];
} silero_state;

/// The probability that this window of 512 samples, from -1 to 1, is speech. `state`, zero at first, goes from window to
/// window.
float silero_probability(const silero_weights *weights, silero_state *state, const float *window);

/// Forget what was heard, but for the few samples that the next window follows.
void silero_forget(silero_state *state);

#endif
