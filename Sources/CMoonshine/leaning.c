#include "leaning.h"

#include <stdlib.h>
#include <string.h>

enum { LONGEST_PHRASE = 24 };

static int32_t new_node(leaning *tree, int32_t token) {
  if (tree->count == tree->capacity) {
    int32_t capacity = tree->capacity ? tree->capacity * 2 : 1024;
    leaning_node *nodes = realloc(tree->nodes, (size_t)capacity * sizeof *nodes);
    if (!nodes) return -1;
    tree->nodes = nodes;
    tree->capacity = capacity;
  }
  tree->nodes[tree->count] = (leaning_node){.token = token};
  return tree->count++;
}

int32_t leaning_child(const leaning *tree, int32_t node, int32_t token) {
  if (!node) return tree->roots[token];
  int32_t child = tree->nodes[node].child;
  while (child && tree->nodes[child].token != token) child = tree->nodes[child].sibling;
  return child;
}

static bool add(leaning *tree, const int32_t *tokens, int32_t count) {
  int32_t node = 0;
  for (int32_t index = 0; index < count; index++) {
    int32_t child = leaning_child(tree, node, tokens[index]);
    if (!child) {
      if ((child = new_node(tree, tokens[index])) < 0) return false;
      tree->nodes[child].sibling = tree->nodes[node].child;
      tree->nodes[node].child = child;
      if (!node) tree->roots[tokens[index]] = child;
    }
    node = child;
  }
  tree->nodes[node].is_whole = true;
  return true;
}

int32_t leaning_set(leaning *tree, const vocabulary *words, const char *const *phrases, int32_t count, bool are_texts) {
  tree->count = 0;
  tree->are_texts = are_texts;
  memset(tree->roots, 0, sizeof tree->roots);
  if (new_node(tree, -1) < 0) return -1;
  for (int32_t index = 0; index < count; index++) {
    int32_t tokens[LONGEST_PHRASE];
    int32_t length = vocabulary_split(words, phrases[index], tokens, LONGEST_PHRASE);
    if (length > 0 && !add(tree, tokens, length)) return -1;
  }
  return tree->count;
}

void leaning_free(leaning *tree) { free(tree->nodes); }

bool leaning_may_begin(const leaning *tree, const leaning_state *state) { return !tree->are_texts || !state->has_begun; }

/// What the open phrase keeps if this token follows it and does not belong to it.
static float kept(const leaning *tree, const vocabulary *words, const leaning_state *state, int32_t token) {
  if (tree->are_texts) return token == TOKEN_END && tree->nodes[state->node].is_whole ? state->open : 0;
  return vocabulary_ends_word(words, token) ? state->whole : 0;
}

leaning_gain leaning_step(
    const leaning *tree, const vocabulary *words, float bonus, leaning_state *state, int32_t token) {
  leaning_gain gain = {0};
  if (!tree->count || bonus == 0) return gain;
  int32_t child = leaning_child(tree, state->node, token);
  if (state->node && child) {
    state->open += bonus;
    gain.earned = bonus;
  } else {
    // The phrase is over: what it earned as a whole stays, if its last word is over, too.
    gain.lost = state->open - kept(tree, words, state, token);
    child = leaning_may_begin(tree, state) ? leaning_child(tree, 0, token) : 0;
    state->open = child ? bonus : 0;
    state->whole = 0;
    gain.earned = state->open;
  }
  state->node = child;
  state->has_begun = true;
  if (child && tree->nodes[child].is_whole) state->whole = state->open;
  return gain;
}
