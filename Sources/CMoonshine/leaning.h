#ifndef PARLEY_MOONSHINE_LEANING_H
#define PARLEY_MOONSHINE_LEANING_H

#include "vocabulary.h"

// The phrases that a search leans towards: a tree of their tokens. Each token of a phrase earns something as it is heard;
// what was earned is kept once the phrase is whole and nothing that belongs to the word follows, and taken back otherwise.
// Where the phrases are whole texts, they begin with the text, and earn nothing unless they end with it.

typedef struct {
  int32_t token;
  /// The first child and the next sibling; 0 is none, since the root is neither.
  int32_t child, sibling;
  bool is_whole;
} leaning_node;

typedef struct {
  leaning_node *nodes;
  int32_t count, capacity;
  bool are_texts;
  /// The root's children, by their tokens: it has thousands.
  int32_t roots[TOKEN_LIMIT];
} leaning;

/// Where a hypothesis stands in the tree.
typedef struct {
  int32_t node;
  /// What the open phrase has earned so far, and up to its last whole form.
  float open, whole;
  bool has_begun;
} leaning_state;

/// Takes the phrases in, instead of those before; how many nodes there are, or -1 without memory.
int32_t leaning_set(leaning *tree, const vocabulary *words, const char *const *phrases, int32_t count, bool are_texts);
void leaning_free(leaning *tree);

/// Whether a phrase may begin here.
bool leaning_may_begin(const leaning *tree, const leaning_state *state);

/// The child for this token; 0 when there is none.
int32_t leaning_child(const leaning *tree, int32_t node, int32_t token);

/// What a token earns, and what those before it lose again: each its bonus, from the last one back.
typedef struct {
  float earned, lost;
} leaning_gain;

/// What a token changes in the scores, and in the state.
leaning_gain leaning_step(
    const leaning *tree, const vocabulary *words, float bonus, leaning_state *state, int32_t token);

#endif
