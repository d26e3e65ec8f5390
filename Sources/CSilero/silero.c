#include "silero.h"

#include <math.h>
#include <string.h>

enum { FRAME = 256, HOP = 128, BINS = 129, FRAMES = 4, PADDED = SILERO_CONTEXT + SILERO_WINDOW + 64 };

// Eight sums side by side, which the compiler turns into vector instructions.
static float dot(const float *a, const float *b, int count) {
  float sums[8] = {0};
  int index = 0;
  for (; index + 8 <= count; index += 8)
    for (int lane = 0; lane < 8; lane++) sums[lane] += a[index + lane] * b[index + lane];
  float sum = 0;
  for (; index < count; index++) sum += a[index] * b[index];
  for (int lane = 0; lane < 8; lane++) sum += sums[lane];
  return sum;
}

static float sigmoid(float x) { return 1 / (1 + expf(-x)); }

// A convolution of width 3 with one zero on each side, then the rectifier. `input` and `output` are [time][channel];
// `weight` is [out][in][3].
static void convolve(
  const float *input, int times, int inputs, int stride, const float *weight, const float *bias, int outputs, float *output) {
  int output_time = 0;
  for (int center = 0; center < times; center += stride, output_time++) {
    // The three columns under the kernel, laid out as one row of the weight is.
    float patch[BINS * 3];
    for (int channel = 0; channel < inputs; channel++)
      for (int tap = 0; tap < 3; tap++) {
        int time = center + tap - 1;
        patch[channel * 3 + tap] = time >= 0 && time < times ? input[time * inputs + channel] : 0;
      }
    for (int out = 0; out < outputs; out++) {
      float value = bias[out] + dot(weight + out * inputs * 3, patch, inputs * 3);
      output[output_time * outputs + out] = value > 0 ? value : 0;
    }
  }
}

float silero_probability(const silero_weights *w, silero_state *state, const float *window) {
  float sound[PADDED];
  memcpy(sound, state->context, sizeof state->context);
  memcpy(sound + SILERO_CONTEXT, window, SILERO_WINDOW * sizeof(float));
  const int end = SILERO_CONTEXT + SILERO_WINDOW;
  for (int index = 0; index < PADDED - end; index++) sound[end + index] = sound[end - 2 - index];
  memcpy(state->context, window + SILERO_WINDOW - SILERO_CONTEXT, sizeof state->context);

  float spectrum[FRAMES * BINS];
  for (int frame = 0; frame < FRAMES; frame++)
    for (int bin = 0; bin < BINS; bin++) {
      float real = dot(w->basis + bin * FRAME, sound + frame * HOP, FRAME);
      float imaginary = dot(w->basis + (bin + BINS) * FRAME, sound + frame * HOP, FRAME);
      spectrum[frame * BINS + bin] = sqrtf(real * real + imaginary * imaginary);
    }

  float layer1[4 * 128], layer2[2 * 64], layer3[64], layer4[128];
  convolve(spectrum, 4, BINS, 1, w->weight1, w->bias1, 128, layer1);
  convolve(layer1, 4, 128, 2, w->weight2, w->bias2, 64, layer2);
  convolve(layer2, 2, 64, 2, w->weight3, w->bias3, 64, layer3);
  convolve(layer3, 1, 64, 1, w->weight4, w->bias4, 128, layer4);

  float gates[4 * SILERO_STATE];
  for (int gate = 0; gate < 4 * SILERO_STATE; gate++)
    gates[gate] = w->input_bias[gate] + w->hidden_bias[gate]
      + dot(w->input_weight + gate * SILERO_STATE, layer4, SILERO_STATE)
      + dot(w->hidden_weight + gate * SILERO_STATE, state->hidden, SILERO_STATE);
  float output = w->final_bias[0];
  for (int unit = 0; unit < SILERO_STATE; unit++) {
    float input_gate = sigmoid(gates[unit]), forget_gate = sigmoid(gates[SILERO_STATE + unit]);
    float candidate = tanhf(gates[2 * SILERO_STATE + unit]), output_gate = sigmoid(gates[3 * SILERO_STATE + unit]);
    state->cell[unit] = forget_gate * state->cell[unit] + input_gate * candidate;
    state->hidden[unit] = output_gate * tanhf(state->cell[unit]);
    output += w->final_weight[unit] * (state->hidden[unit] > 0 ? state->hidden[unit] : 0);
  }
  return sigmoid(output);
}

void silero_forget(silero_state *state) {
  memset(state->hidden, 0, sizeof state->hidden);
  memset(state->cell, 0, sizeof state->cell);
}
