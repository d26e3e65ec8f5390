#ifndef PARLEY_MOONSHINE_H
#define PARLEY_MOONSHINE_H

#include <stdint.h>

// The Moonshine recogniser, driven by ourselves over ONNX Runtime: beam search that leans towards given phrases, the
// probability of every token, and the probability of given texts. One thread at a time per recogniser; the text that was
// heard last is remembered in it. The runtime is loaded while the program runs, so that it builds and starts without it.

typedef struct moonshine moonshine;

/// What was understood. `ends[i]` is where token `i` ends in the text, in bytes; `scores[i]` is its log-probability, with
/// what it earned for a phrase that is heard whole. Free with moonshine_text_free, which frees what it was preferred to as well.
typedef struct moonshine_text {
  char *text;
  int32_t count;
  int32_t *ends;
  float *scores;
  /// What it earned for phrases in all.
  float earned;
  /// The next likely text that the search came to the end of; NULL where there is none.
  struct moonshine_text *next;
} moonshine_text;

/// How a text is looked for.
typedef struct {
  /// Beams, from 1 (greedy) to 8.
  int32_t width;
  /// What each token of a phrase earns; 0 turns the phrases off.
  float bonus;
  /// 1 to lean towards whole texts, instead of phrases in a text.
  int32_t leans_to_texts;
  /// 1 where speech was heard for certain: then an empty text is no answer.
  int32_t is_speech;
  /// Asked before each token, with `context`; once it returns 1, nothing is found. NULL where somebody waits for the text.
  int32_t (*is_unwanted)(void *context);
  void *context;
} moonshine_search;

/// A recogniser; NULL when a file is missing or damaged, `ort_reason` says why. Call after ort_load has
/// succeeded. `tokens` is a file with a line for each token: its bytes in base 64, a tab, its number.
moonshine *moonshine_create(const char *encoder, const char *decoder, const char *tokens);

void moonshine_destroy(moonshine *recogniser);

/// Lean towards these phrases, and no others, from now on. Each is UTF-8 text as it is to be written. Returns how many
/// nodes the tree of their tokens has.
int32_t moonshine_lean(moonshine *recogniser, const char *const *phrases, int32_t count);

/// Lean towards these whole texts, and no others, from now on, where a search asks for it; as moonshine_lean otherwise.
int32_t moonshine_lean_to_texts(moonshine *recogniser, const char *const *texts, int32_t count);

/// Takes in 16 kHz sound with samples from -1 to 1, for the calls below. Returns 0, or -1 when it cannot be.
int32_t moonshine_hear(moonshine *recogniser, const float *samples, int32_t count);

/// What is said in the sound that was heard last; NULL when that cannot be found out.
moonshine_text *moonshine_understand(moonshine *recogniser, moonshine_search search);

void moonshine_text_free(moonshine_text *text);

/// The log-probability that exactly this was said, to the end, in the sound that was heard last: one for each text. Returns
/// 0, or -1 when that cannot be found out.
int32_t moonshine_score(moonshine *recogniser, const char *const *texts, int32_t count, float *scores);

/// The tokens of a text, at most `most` of them; how many it has. For tests.
int32_t moonshine_tokens(const moonshine *recogniser, const char *text, int32_t *tokens, int32_t most);

#endif
