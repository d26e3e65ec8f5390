#include <ogg/ogg.h>
#include <opus/opus.h>

// `opus_encoder_ctl` is variadic, which Swift cannot call: one wrapper a shape of argument.
static inline int parley_opus_set(OpusEncoder *encoder, int request, opus_int32 value) {
  return opus_encoder_ctl(encoder, request, value);
}
static inline int parley_opus_get(OpusEncoder *encoder, int request, opus_int32 *value) {
  return opus_encoder_ctl(encoder, request, value);
}
