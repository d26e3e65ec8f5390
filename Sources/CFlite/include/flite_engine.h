#ifndef PARLEY_FLITE_ENGINE_H
#define PARLEY_FLITE_ENGINE_H

#include <stdint.h>

// The flite speech synthesiser, loaded when it is first wanted: linked, its dictionaries and the sound library that it
// drags in would cost every start of the program. One thread.

/// Loads flite. Returns NULL, or what went wrong in words that stay valid. Loading it again does nothing.
const char *flite_engine_load(void);

/// How a text is pronounced; NULL when flite fails. Free with flite_engine_text_free. One item a line, in order:
///
///     w WORD <tab> PART-OF-SPEECH <tab> PUNCTUATION    a word, and the punctuation after it
///     s STRESS                                        a syllable of it: 1 stressed, 0 not
///     p PHONE                                         a phone of the syllable, in flite's ARPAbet
char *flite_engine_pronounce(const char *text);

void flite_engine_text_free(char *text);

/// The sound of a text in flite's own voice (slt), which may be empty; NULL when flite fails. `stretch` above 1 is
/// slower. Returns `count` samples at `rate` a second; free with flite_engine_samples_free.
int16_t *flite_engine_speak(const char *text, float stretch, int32_t *count, int32_t *rate);

void flite_engine_samples_free(int16_t *samples);

#endif
