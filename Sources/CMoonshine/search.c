#include "model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The search for the likeliest text: the best hypotheses go on, each with its likeliest tokens and with those that a phrase
// would go on with.

enum { LONGEST = 200, OF_EACH = 320, CANDIDATES = WIDEST * OF_EACH, LIKELIEST = 8, LONGEST_REPEAT = 8, MOST_OTHERS = 4 };
/// A token that is less likely than this is not heard, whatever phrase it belongs to.
static const float unlikely = -12;

typedef struct {
  int32_t tokens[LONGEST];
  float scores[LONGEST];
  int32_t count;
  leaning_state state;
  /// With what phrases earned, and without.
  float leant, plain;
} hypothesis;

typedef struct {
  int32_t parent, token;
  float leant, plain;
  leaning_gain gain;
  leaning_state state;
} candidate;

typedef struct {
  moonshine *model;
  const leaning *phrases;
  moonshine_search wanted;
  hypothesis beams[WIDEST], next[WIDEST], best;
  /// What came to an end as well, the likeliest first.
  hypothesis others[MOST_OTHERS];
  candidate candidates[CANDIDATES];
  int32_t beam_count, candidate_count, other_count;
  bool has_best;
} search;

/// Whether a token would say the same few tokens a third time in a row, or one a fifth time: nobody does, but a network in
/// noise.
static bool repeats(const hypothesis *said, int32_t token) {
  for (int32_t period = 1; period <= LONGEST_REPEAT; period++) {
    int32_t begin = said->count - (period == 1 ? 5 : period * 3) + 1;
    bool is_same = begin >= 0;
    for (int32_t index = begin; is_same && index + period <= said->count; index++) {
      int32_t later = index + period < said->count ? said->tokens[index + period] : token;
      is_same = said->tokens[index] == later;
    }
    if (is_same) return true;
  }
  return false;
}

static void offer(search *search, int32_t parent, int32_t token, float probability) {
  const hypothesis *said = &search->beams[parent];
  if (search->candidate_count == CANDIDATES || (token != TOKEN_END && repeats(said, token))) return;
  candidate made = {.parent = parent, .token = token, .plain = said->plain + probability, .state = said->state};
  made.gain = leaning_step(search->phrases, &search->model->words, search->wanted.bonus, &made.state, token);
  made.leant = said->leant + probability + made.gain.earned - made.gain.lost;
  search->candidates[search->candidate_count++] = made;
}

/// Offers what may follow a hypothesis.
static void extend(search *search, int32_t parent, const float *logits) {
  const leaning *phrases = search->phrases;
  const leaning_state *state = &search->beams[parent].state;
  float norm = log_sum(logits, TOKEN_LIMIT);
  bool may_end = search->beams[parent].count > 0 || !search->wanted.is_speech;
  int32_t likeliest[LIKELIEST], count = 0;
  for (int32_t token = TOKEN_END; token < TOKEN_LIMIT; token++) {
    if (count == LIKELIEST && logits[token] <= logits[likeliest[count - 1]]) continue;
    if (token == TOKEN_END && !may_end) continue;
    int32_t place = count < LIKELIEST ? count++ : count - 1;
    for (; place > 0 && logits[likeliest[place - 1]] < logits[token]; place--) likeliest[place] = likeliest[place - 1];
    likeliest[place] = token;
  }
  for (int32_t index = 0; index < count; index++) offer(search, parent, likeliest[index], logits[likeliest[index]] - norm);
  if (!phrases->count || search->wanted.bonus == 0) return;
  // A beam leaves the others their places: thousands of phrases may begin anywhere.
  int32_t most = (parent + 1) * OF_EACH;
  const int32_t nodes[] = {state->node, 0};
  for (int32_t which = nodes[0] ? 0 : 1; which < (leaning_may_begin(phrases, state) ? 2 : 1); which++) {
    int32_t child = phrases->nodes[nodes[which]].child;
    for (; child && search->candidate_count < most; child = phrases->nodes[child].sibling) {
      int32_t token = phrases->nodes[child].token;
      // Those among the likeliest are offered already.
      if (logits[token] - norm < unlikely || logits[token] >= logits[likeliest[count - 1]]) continue;
      offer(search, parent, token, logits[token] - norm);
    }
  }
}

static int better(const void *left, const void *right) {
  float difference = ((const candidate *)right)->leant - ((const candidate *)left)->leant;
  return difference > 0 ? 1 : difference < 0 ? -1 : 0;
}

static void go_on(const hypothesis *said, const candidate *chosen, float bonus, hypothesis *made) {
  *made = *said;
  // What was earned for a phrase that is not heard after all is taken back where it was earned.
  float lost = chosen->gain.lost;
  for (int32_t index = made->count - 1; index >= 0 && lost > 0; index--, lost -= bonus) made->scores[index] -= bonus;
  made->tokens[made->count] = chosen->token;
  made->scores[made->count++] = chosen->plain - said->plain + chosen->gain.earned;
  made->state = chosen->state;
  made->leant = chosen->leant;
  made->plain = chosen->plain;
}

/// Keeps a text that is not the best one.
static void keep(search *search, const hypothesis *said) {
  int32_t place = search->other_count;
  while (place > 0 && search->others[place - 1].leant < said->leant) place--;
  if (place == MOST_OTHERS) return;
  if (search->other_count < MOST_OTHERS) search->other_count++;
  memmove(search->others + place + 1, search->others + place,
          (size_t)(search->other_count - place - 1) * sizeof *search->others);
  search->others[place] = *said;
}

/// Chooses the best candidates; whether any hypothesis goes on.
static bool choose(search *search, int64_t *tokens, int32_t *parents) {
  qsort(search->candidates, (size_t)search->candidate_count, sizeof *search->candidates, better);
  int32_t count = 0, index = 0;
  for (; index < search->candidate_count && count < search->wanted.width; index++) {
    const candidate *chosen = &search->candidates[index];
    if (search->has_best && chosen->leant <= search->best.leant) break;
    if (chosen->token == TOKEN_END) {
      if (search->has_best) keep(search, &search->best);
      go_on(&search->beams[chosen->parent], chosen, search->wanted.bonus, &search->best);
      search->has_best = true;
      continue;
    }
    tokens[count] = chosen->token;
    parents[count] = chosen->parent;
    go_on(&search->beams[chosen->parent], chosen, search->wanted.bonus, &search->next[count++]);
  }
  for (; index < search->candidate_count; index++) {
    if (search->candidates[index].token != TOKEN_END) continue;
    hypothesis other;
    go_on(&search->beams[search->candidates[index].parent], &search->candidates[index], search->wanted.bonus, &other);
    keep(search, &other);
  }
  memcpy(search->beams, search->next, (size_t)count * sizeof *search->beams);
  search->beam_count = count;
  return count > 0;
}

/// The text of a hypothesis, without the blanks around it.
static moonshine_text *spell(const vocabulary *words, const hypothesis *said) {
  size_t length = 0;
  for (int32_t index = 0; index < said->count; index++) length += words->lengths[said->tokens[index]];
  moonshine_text *made = calloc(1, sizeof *made);
  if (!made) return NULL;
  made->text = malloc(length + 1);
  made->ends = calloc((size_t)said->count + 1, sizeof *made->ends);
  made->scores = calloc((size_t)said->count + 1, sizeof *made->scores);
  if (!made->text || !made->ends || !made->scores) {
    moonshine_text_free(made);
    return NULL;
  }
  int32_t end = 0;
  for (int32_t index = 0; index < said->count; index++) {
    int32_t token = said->tokens[index];
    if (token < FIRST_TEXT_TOKEN) continue;
    const char *bytes = words->bytes[token];
    int32_t from = end == 0 && words->lengths[token] && bytes[0] == ' ' ? 1 : 0;
    memcpy(made->text + end, bytes + from, (size_t)(words->lengths[token] - from));
    end += words->lengths[token] - from;
    made->ends[made->count] = end;
    made->scores[made->count++] = said->scores[index];
  }
  made->text[end] = 0;
  made->earned = said->leant - said->plain;
  return made;
}

moonshine_text *moonshine_understand(moonshine *recogniser, moonshine_search wanted) {
  if (!recogniser->hidden) return NULL;
  search *state = calloc(1, sizeof *state);
  if (!state) return NULL;
  wanted.width = wanted.width < 1 ? 1 : wanted.width > WIDEST ? WIDEST : wanted.width;
  state->model = recogniser;
  state->phrases = wanted.leans_to_texts ? &recogniser->texts : &recogniser->phrases;
  state->wanted = wanted;
  state->beam_count = 1;
  // Nobody says more: six and a half tokens a second, and some.
  int32_t most = (int32_t)((int64_t)recogniser->samples * 13 / 2 / RATE) + 8;
  if (most > LONGEST - 1) most = LONGEST - 1;
  decoding decoder;
  bool is_sound = decoding_begin(&decoder, recogniser);
  for (int32_t length = 0; is_sound; length++) {
    state->candidate_count = 0;
    if (wanted.is_unwanted && wanted.is_unwanted(wanted.context)) {
      is_sound = false;
      break;
    }
    for (int32_t row = 0; row < state->beam_count; row++) {
      const float *logits = decoding_logits(&decoder, row);
      if (logits) extend(state, row, logits);
    }
    int64_t tokens[WIDEST];
    int32_t parents[WIDEST];
    if (length == most || !choose(state, tokens, parents)) break;
    is_sound = decoding_step(&decoder, tokens, parents, state->beam_count);
  }
  decoding_end(&decoder);
  moonshine_text *made = NULL;
  if (is_sound) made = spell(&recogniser->words, state->has_best ? &state->best : &state->beams[0]);
  moonshine_text *last = made;
  for (int32_t index = 0; last && index < state->other_count; index++) {
    last = last->next = spell(&recogniser->words, &state->others[index]);
  }
  free(state);
  return made;
}

void moonshine_text_free(moonshine_text *text) {
  while (text) {
    moonshine_text *next = text->next;
    free(text->text);
    free(text->ends);
    free(text->scores);
    free(text);
    text = next;
  }
}
