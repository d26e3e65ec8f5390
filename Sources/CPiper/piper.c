#include "piper.h"

#include "inference.h"

#include <stdlib.h>
#include <string.h>

float *piper_speak(ort_session *voice, const int64_t *symbols, int32_t count, float speed, int32_t *samples) {
  static const char *const names[] = {"input", "input_lengths", "scales"}, *const wanted[] = {"output"};
  int64_t length = count;
  // A little less variation of the tone than the voice was trained with: the recogniser understood it better.
  float scales[] = {0.4f, 1 / speed, 0.6f};
  ort_value *made = NULL, *inputs[] = {
    ort_tensor((void *)symbols, (size_t)count * sizeof *symbols, (int64_t[]){1, count}, 2, ORT_INT64),
    ort_tensor(&length, sizeof length, (int64_t[]){1}, 1, ORT_INT64),
    ort_tensor(scales, sizeof scales, (int64_t[]){3}, 1, ORT_FLOAT),
  };
  float *sound = NULL;
  // What a long sentence takes is as much as all the rest of the voice: it is given back each time.
  if (inputs[0] && inputs[1] && inputs[2]
      && ort_run_and_shrink(voice, names, (const ort_value *const *)inputs, 3, wanted, 1, &made)) {
    // One sound of one speaker: 1 x 1 x 1 x samples.
    int64_t total = ort_dimension(made, 3);
    const float *data = ort_data(made);
    if (data && total > 0 && total <= INT32_MAX && (sound = malloc((size_t)total * sizeof *sound))) {
      memcpy(sound, data, (size_t)total * sizeof *sound);
      *samples = (int32_t)total;
    }
  }
  ort_free(made);
  for (size_t index = 0; index < sizeof inputs / sizeof *inputs; index++) ort_free(inputs[index]);
  return sound;
}

void piper_samples_free(float *samples) { free(samples); }
