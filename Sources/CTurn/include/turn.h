#ifndef PARLEY_TURN_H
#define PARLEY_TURN_H

#include <stdint.h>

// The Smart Turn network, version 3.2: whether a pause sounds like the end of a turn. It hears the melody and the length of
// the last words, not what they mean. It runs over ONNX Runtime, as the recogniser does: a model that ort_open opens.

typedef struct ort_session ort_session;

/// The probability that a turn is whole, from 16 kHz sound with samples from -1 to 1 that begins 0.3 s before it and ends now; of
/// long sound the last 8 s count. Below 0 when that cannot be found out.
float turn_probability(ort_session *network, const float *samples, int32_t count);

/// What the network is given of the sound: 80 bands of 800 frames, band by band. For tests.
void turn_features(const float *samples, int32_t count, float *features);

#endif
