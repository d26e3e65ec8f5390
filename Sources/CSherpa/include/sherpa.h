#ifndef PARLEY_SHERPA_H
#define PARLEY_SHERPA_H

#include <stdint.h>

// Recognition by sherpa-onnx 2.0.1, loaded while the program runs so that it builds and starts without it.
// Its C interface takes large structures, of which only the fields used here are declared (in sherpa.c): that is safe
// because the library's version is checked when it is loaded. One thread at a time per recogniser.

typedef struct sherpa_recogniser sherpa_recogniser;

/// Loads the library at this path. Returns NULL, or what went wrong in words that stay valid.
const char *sherpa_load(const char *path);

/// A Moonshine recogniser; NULL when a file is missing or damaged. Call after sherpa_load has succeeded.
sherpa_recogniser *sherpa_recogniser_create(const char *encoder, const char *decoder, const char *tokens);

/// The text of 16 kHz sound with samples from -1 to 1; NULL when it cannot be decoded. Free with sherpa_text_free.
char *sherpa_recogniser_decode(const sherpa_recogniser *recogniser, const float *samples, int32_t count);

void sherpa_text_free(char *text);

#endif
