#ifndef PARLEY_PIPER_H
#define PARLEY_PIPER_H

#include <stdint.h>

// A Piper voice of one speaker, run over ONNX Runtime, as the recogniser is: a model that ort_open_small opens.

typedef struct ort_session ort_session;

/// The sound of one sentence, given as the voice's numbers for its phonemes; `speed` above 1 is faster. Returns `samples` of
/// them from -1 to 1, to be freed with piper_samples_free; NULL when they cannot be made.
float *piper_speak(ort_session *voice, const int64_t *symbols, int32_t count, float speed, int32_t *samples);

void piper_samples_free(float *samples);

#endif
