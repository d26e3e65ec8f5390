#include <opusenc.h>

// `ope_encoder_ctl` is variadic, which Swift cannot call: one wrapper for the requests that take an integer.
static inline int parley_opus_set(OggOpusEnc *encoder, int request, opus_int32 value) {
  return ope_encoder_ctl(encoder, request, value);
}
