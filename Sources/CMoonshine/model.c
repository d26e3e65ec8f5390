#include "model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Names of the decoder's inputs and outputs, made once: first of the text, then of the sound.
static char input_names[PAST_COUNT * 2][40], output_names[PAST_COUNT * 2][40];

static void make_names(void) {
  for (int index = 0; index < PAST_COUNT * 2; index++) {
    const char *side = index < PAST_COUNT ? "decoder" : "encoder", *part = index % 2 ? "value" : "key";
    int layer = index % PAST_COUNT / 2;
    snprintf(input_names[index], sizeof *input_names, "past_key_values.%d.%s.%s", layer, side, part);
    snprintf(output_names[index], sizeof *output_names, "present.%d.%s.%s", layer, side, part);
  }
}

moonshine *moonshine_create(const char *encoder, const char *decoder, const char *tokens) {
  moonshine *made = calloc(1, sizeof *made);
  if (!made) return NULL;
  make_names();
  if (vocabulary_read(&made->words, tokens) && (made->encoder = ort_open(encoder)) && (made->decoder = ort_open(decoder)))
    return made;
  moonshine_destroy(made);
  return NULL;
}

void moonshine_destroy(moonshine *recogniser) {
  if (!recogniser) return;
  ort_free(recogniser->hidden);
  ort_close(recogniser->encoder);
  ort_close(recogniser->decoder);
  vocabulary_free(&recogniser->words);
  leaning_free(&recogniser->phrases);
  leaning_free(&recogniser->texts);
  free(recogniser);
}

int32_t moonshine_lean(moonshine *recogniser, const char *const *phrases, int32_t count) {
  return leaning_set(&recogniser->phrases, &recogniser->words, phrases, count, false);
}

int32_t moonshine_lean_to_texts(moonshine *recogniser, const char *const *texts, int32_t count) {
  return leaning_set(&recogniser->texts, &recogniser->words, texts, count, true);
}

int32_t moonshine_tokens(const moonshine *recogniser, const char *text, int32_t *tokens, int32_t most) {
  return vocabulary_split(&recogniser->words, text, tokens, most);
}

int32_t moonshine_hear(moonshine *recogniser, const float *samples, int32_t count) {
  static const char *const input[] = {"input_values"}, *const output[] = {"last_hidden_state"};
  ort_free(recogniser->hidden);
  recogniser->hidden = NULL;
  recogniser->samples = count;
  const int64_t shape[] = {1, count};
  ort_value *sound = ort_tensor((void *)samples, (size_t)count * sizeof *samples, shape, 2, ORT_FLOAT);
  const ort_value *inputs[] = {sound};
  bool is_heard = sound && ort_run_and_shrink(recogniser->encoder, input, inputs, 1, output, 1, &recogniser->hidden);
  ort_free(sound);
  if (is_heard && ort_dimension(recogniser->hidden, 2) == HIDDEN_SIZE) return 0;
  ort_free(recogniser->hidden);
  recogniser->hidden = NULL;
  return -1;
}

/// Run the decoder over `length` tokens of each row. What it gives for the texts goes into `state`, for the sound only the
/// first time.
static bool run(decoding *state, const int64_t *tokens, int64_t rows, int64_t length, ort_value *const *text) {
  bool is_first = !state->sound[0];
  bool use_cache = !is_first;
  static float nothing[1];
  const int64_t one[] = {1}, shape[] = {rows, length}, none[] = {rows, HEADS, 0, HEAD_SIZE};
  ort_value *ids = ort_tensor((void *)tokens, (size_t)(rows * length) * sizeof *tokens, shape, 2, ORT_INT64);
  ort_value *cached = ort_tensor(&use_cache, sizeof use_cache, one, 1, ORT_BOOL);
  ort_value *empty = ort_tensor(nothing, 0, none, 4, ORT_FLOAT);
  const char *names[PAST_COUNT * 2 + 3] = {"input_ids", "encoder_hidden_states", "use_cache_branch"};
  const ort_value *inputs[PAST_COUNT * 2 + 3] = {ids, state->model->hidden, cached};
  const char *wanted[PAST_COUNT * 2 + 1] = {"logits"};
  ort_value *outputs[PAST_COUNT * 2 + 1];
  for (int index = 0; index < PAST_COUNT; index++) {
    names[3 + index] = input_names[index];
    names[3 + PAST_COUNT + index] = input_names[PAST_COUNT + index];
    inputs[3 + index] = is_first ? empty : text[index];
    inputs[3 + PAST_COUNT + index] = is_first ? empty : state->sound[index];
    wanted[1 + index] = output_names[index];
    wanted[1 + PAST_COUNT + index] = output_names[PAST_COUNT + index];
  }
  size_t count = is_first ? PAST_COUNT * 2 + 1 : PAST_COUNT + 1;
  bool is_done = ids && cached && empty
      && ort_run(state->model->decoder, names, inputs, PAST_COUNT * 2 + 3, wanted, count, outputs);
  ort_free(ids);
  ort_free(cached);
  ort_free(empty);
  if (!is_done) return false;
  ort_free(state->logits);
  state->logits = outputs[0];
  for (int index = 0; index < PAST_COUNT; index++) {
    ort_free(state->text[index]);
    state->text[index] = outputs[1 + index];
    if (is_first) state->sound[index] = outputs[1 + PAST_COUNT + index];
  }
  state->rows = rows;
  return true;
}

bool decoding_begin(decoding *state, moonshine *model) {
  *state = (decoding){.model = model};
  static const int64_t begin[] = {TOKEN_BEGIN};
  state->length = 1;
  return run(state, begin, 1, 1, NULL);
}

/// What the last step knew of the rows' parents, in the rows' order.
static bool keep(decoding *state, const int32_t *parents, int64_t rows, ort_value **past) {
  size_t block = (size_t)(HEADS * state->length * HEAD_SIZE), needed = block * (size_t)rows;
  const int64_t shape[] = {rows, HEADS, state->length, HEAD_SIZE};
  for (int index = 0; index < PAST_COUNT; index++) {
    if (needed > state->room) {
      float *grown = realloc(state->kept[index], needed * 2 * sizeof(float));
      if (!grown) return false;
      state->kept[index] = grown;
    }
    const float *known = ort_data(state->text[index]);
    if (!known) return false;
    for (int64_t row = 0; row < rows; row++)
      memcpy(state->kept[index] + (size_t)row * block, known + (size_t)parents[row] * block, block * sizeof(float));
    past[index] = ort_tensor(state->kept[index], needed * sizeof(float), shape, 4, ORT_FLOAT);
    if (!past[index]) return false;
  }
  if (needed > state->room) state->room = needed * 2;
  return true;
}

bool decoding_step(decoding *state, const int64_t *tokens, const int32_t *parents, int64_t rows) {
  ort_value *past[PAST_COUNT] = {NULL};
  bool is_done = keep(state, parents, rows, past) && run(state, tokens, rows, 1, past);
  for (int index = 0; index < PAST_COUNT; index++) ort_free(past[index]);
  state->length++;
  return is_done;
}

const float *decoding_logits(const decoding *state, int64_t row) {
  const float *logits = ort_data(state->logits);
  return logits ? logits + row * TOKEN_LIMIT : NULL;
}

void decoding_end(decoding *state) {
  ort_free(state->logits);
  for (int index = 0; index < PAST_COUNT; index++) {
    ort_free(state->sound[index]);
    ort_free(state->text[index]);
    free(state->kept[index]);
  }
}

float log_sum(const float *logits, int32_t count) {
  float highest = logits[0], sum = 0;
  for (int32_t index = 1; index < count; index++) highest = logits[index] > highest ? logits[index] : highest;
  // What is e^-16 as likely does not count.
  for (int32_t index = 0; index < count; index++)
    if (logits[index] > highest - 16) sum += expf(logits[index] - highest);
  return highest + logf(sum);
}

int32_t moonshine_score(moonshine *recogniser, const char *const *texts, int32_t count, float *scores) {
  enum { LONGEST = 128 };
  for (int32_t index = 0; index < count; index++) {
    int32_t pieces[LONGEST];
    int64_t tokens[LONGEST + 1] = {TOKEN_BEGIN};
    int32_t length = vocabulary_split(&recogniser->words, texts[index], pieces, LONGEST);
    if (length == 0 || !recogniser->hidden) return -1;
    for (int32_t place = 0; place < length; place++) tokens[place + 1] = pieces[place];
    decoding state = {.model = recogniser};
    bool is_done = run(&state, tokens, 1, length + 1, NULL);
    const float *logits = is_done ? ort_data(state.logits) : NULL;
    scores[index] = 0;
    for (int32_t place = 0; logits && place <= length; place++) {
      const float *row = logits + (size_t)place * TOKEN_LIMIT;
      scores[index] += row[place < length ? pieces[place] : TOKEN_END] - log_sum(row, TOKEN_LIMIT);
    }
    decoding_end(&state);
    if (!logits) return -1;
  }
  return 0;
}
