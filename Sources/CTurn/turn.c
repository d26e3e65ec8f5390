#include "turn.h"

#include "inference.h"

#include <complex.h>
#include <math.h>
#include <pthread.h>
#include <string.h>

// The features are those of Whisper: the logarithm of the power in 80 bands, every 10 ms, of sound of mean 0 and variance 1.

enum { SECONDS = 8, RATE = 16000, SAMPLES = SECONDS * RATE, SIZE = 400, HOP = 160, BINS = SIZE / 2 + 1, BANDS = 80,
       FRAMES = SAMPLES / HOP };

// Made once, before the first features.
static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct {
  float window[SIZE];
  float complex roots[SIZE];
  float bands[BANDS][BINS];
  /// The bins that count for each band.
  int first[BANDS], last[BANDS];
} tables;

/// The frequency at a place on the scale of Slaney, in which 15 steps are 1000 Hz, and 27 more a factor of 6.4.
static double hertz(double mel) { return mel < 15 ? mel * 200 / 3 : 1000 * exp((mel - 15) * log(6.4) / 27); }

static void make_tables(void) {
  for (int index = 0; index < SIZE; index++) {
    double angle = 2 * M_PI * index / SIZE;
    tables.window[index] = (float)(0.5 - 0.5 * cos(angle));
    tables.roots[index] = (float)cos(angle) - I * (float)sin(angle);
  }
  double highest = 15 + log((RATE / 2) / 1000.0) * 27 / log(6.4), edges[BANDS + 2];
  for (int index = 0; index < BANDS + 2; index++) edges[index] = hertz(highest * index / (BANDS + 1));
  for (int band = 0; band < BANDS; band++) {
    tables.first[band] = BINS;
    for (int bin = 0; bin < BINS; bin++) {
      double frequency = (double)bin * RATE / SIZE;
      double up = (frequency - edges[band]) / (edges[band + 1] - edges[band]);
      double down = (edges[band + 2] - frequency) / (edges[band + 2] - edges[band + 1]);
      double weight = fmax(0, fmin(up, down)) * 2 / (edges[band + 2] - edges[band]);
      tables.bands[band][bin] = (float)weight;
      if (weight > 0 && bin < tables.first[band]) tables.first[band] = bin;
      if (weight > 0) tables.last[band] = bin;
    }
  }
}

/// The Fourier transform of `count` numbers, every `stride`-th of `in`; `count` is made of factors 2 and 5.
static void transform(const float complex *in, float complex *out, int count, int stride) {
  if (count == 1) {
    *out = *in;
    return;
  }
  int factor = count % 5 == 0 ? 5 : 2, part = count / factor;
  float complex parts[SIZE];
  for (int index = 0; index < factor; index++)
    transform(in + index * stride, parts + index * part, part, stride * factor);
  for (int place = 0; place < count; place++) {
    float complex sum = 0;
    for (int index = 0; index < factor; index++)
      sum += parts[index * part + place % part] * tables.roots[(index * place * stride) % SIZE];
    out[place] = sum;
  }
}

void turn_features(const float *samples, int32_t count, float *features) {
  pthread_once(&once, make_tables);
  // Half a window of the mirrored sound lies before the beginning and behind the end.
  static _Thread_local float sound[SAMPLES + SIZE];
  float *begin = sound + SIZE / 2;
  int32_t kept = count < SAMPLES ? count : SAMPLES;
  memset(sound, 0, sizeof sound);
  memcpy(begin + SAMPLES - kept, samples + count - kept, (size_t)kept * sizeof *sound);
  double sum = 0, squares = 0;
  for (int index = 0; index < SAMPLES; index++) sum += begin[index];
  double mean = sum / SAMPLES;
  for (int index = 0; index < SAMPLES; index++) squares += (begin[index] - mean) * (begin[index] - mean);
  double scale = 1 / sqrt(squares / SAMPLES + 1e-7);
  for (int index = 0; index < SAMPLES; index++) begin[index] = (float)((begin[index] - mean) * scale);
  for (int index = 1; index <= SIZE / 2; index++) {
    begin[-index] = begin[index];
    if (index < SIZE / 2) begin[SAMPLES - 1 + index] = begin[SAMPLES - 1 - index];
  }
  float highest = -INFINITY;
  for (int frame = 0; frame < FRAMES; frame++) {
    float complex in[SIZE], out[SIZE];
    float power[BINS];
    for (int index = 0; index < SIZE; index++) in[index] = sound[frame * HOP + index] * tables.window[index];
    transform(in, out, SIZE, 1);
    for (int bin = 0; bin < BINS; bin++) power[bin] = crealf(out[bin]) * crealf(out[bin]) + cimagf(out[bin]) * cimagf(out[bin]);
    for (int band = 0; band < BANDS; band++) {
      float energy = 0;
      for (int bin = tables.first[band]; bin <= tables.last[band]; bin++) energy += tables.bands[band][bin] * power[bin];
      float level = log10f(fmaxf(energy, 1e-10f));
      features[band * FRAMES + frame] = level;
      highest = fmaxf(highest, level);
    }
  }
  for (int index = 0; index < BANDS * FRAMES; index++)
    features[index] = (fmaxf(features[index], highest - 8) + 4) / 4;
}

float turn_probability(ort_session *network, const float *samples, int32_t count) {
  static const char *const input[] = {"input_features"}, *const output[] = {"logits"};
  static _Thread_local float features[BANDS * FRAMES];
  turn_features(samples, count, features);
  const int64_t shape[] = {1, BANDS, FRAMES};
  ort_value *given = ort_tensor(features, sizeof features, shape, 3, ORT_FLOAT), *made = NULL;
  const ort_value *inputs[] = {given};
  bool is_done = given && ort_run(network, input, inputs, 1, output, 1, &made);
  const float *probability = is_done ? ort_data(made) : NULL;
  float found = probability ? *probability : -1;
  ort_free(given);
  ort_free(made);
  return found;
}
