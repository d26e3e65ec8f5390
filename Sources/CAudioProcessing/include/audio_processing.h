#ifndef PARLEY_AUDIO_PROCESSING_H
#define PARLEY_AUDIO_PROCESSING_H

#include <stdint.h>

// A C face for the WebRTC audio processing library, which is C++. Mono, 16 kHz, blocks of 160 samples (10 ms). One
// thread at a time.

#ifdef __cplusplus
extern "C" {
#endif

typedef struct parley_apm parley_apm;

// Echo cancelling is optional; noise suppression, high-pass filter and voice detection are always on. NULL if there is
// no memory.
parley_apm *parley_apm_create(int cancels_echo);

// What goes to the loudspeaker, silence included: one block before each captured one.
void parley_apm_render(parley_apm *apm, const int16_t *block);

// Clean one captured block. `delay_milliseconds` lies between rendering a block and capturing its echo.
// Returns 1 if it holds a voice, 0 if not, a negative number if the library refused the block.
int parley_apm_capture(parley_apm *apm, const int16_t *block, int delay_milliseconds, int16_t *cleaned);

void parley_apm_destroy(parley_apm *apm);

#ifdef __cplusplus
}
#endif

#endif
