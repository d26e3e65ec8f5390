#ifndef PARLEY_MOONSHINE_MODEL_H
#define PARLEY_MOONSHINE_MODEL_H

#include "leaning.h"
#include "moonshine.h"
#include "inference.h"
#include "vocabulary.h"

// The two networks, one step at a time.

enum {
  LAYERS = 8, HEADS = 8, HEAD_SIZE = 52, HIDDEN_SIZE = 416, WIDEST = 8, RATE = 16000,
  /// Keys and values of each layer.
  PAST_COUNT = LAYERS * 2,
};

struct moonshine {
  ort_session *encoder, *decoder;
  vocabulary words;
  leaning phrases, texts;
  /// Of the sound that was heard last: what the encoder made of it, and its samples.
  ort_value *hidden;
  int32_t samples;
};

/// The decoder in the middle of a text, for several hypotheses at once.
typedef struct {
  moonshine *model;
  /// Of the sound: made by the first step, and the same for all hypotheses.
  ort_value *sound[PAST_COUNT];
  /// Of the hypotheses' texts: what the last step gave, and what the next one takes.
  ort_value *text[PAST_COUNT];
  float *kept[PAST_COUNT];
  size_t room;
  /// Hypotheses and tokens of the last step.
  int64_t rows, length;
  ort_value *logits;
} decoding;

/// Begin a text: one hypothesis of the token that begins all.
bool decoding_begin(decoding *state, moonshine *model);
/// Go on: row `i` continues hypothesis `parents[i]` of the last step with `tokens[i]`.
bool decoding_step(decoding *state, const int64_t *tokens, const int32_t *parents, int64_t rows);
/// The logits of a row of the last step.
const float *decoding_logits(const decoding *state, int64_t row);
void decoding_end(decoding *state);

/// The logarithm of the sum of exponentials, with which logits become log-probabilities.
float log_sum(const float *logits, int32_t count);

#endif
