#ifndef PARLEY_MOONSHINE_VOCABULARY_H
#define PARLEY_MOONSHINE_VOCABULARY_H

#include <stdbool.h>
#include <stdint.h>

// The recogniser's tokens: pieces of words, of which those that begin a word carry U+2581 in front.

enum { TOKEN_BEGIN = 1, TOKEN_END = 2, FIRST_TEXT_TOKEN = 3, FIRST_PIECE_TOKEN = 259, TOKEN_LIMIT = 32768 };

typedef struct {
  /// The bytes of each token, and how many there are; U+2581 is a blank here.
  char *bytes[TOKEN_LIMIT];
  uint8_t lengths[TOKEN_LIMIT];
  /// Numbers of tokens by their bytes: open addressing, -1 where there is none.
  int32_t *table;
  int32_t count;
} vocabulary;

/// Reads the file of tokens; false when it is damaged.
bool vocabulary_read(vocabulary *words, const char *path);
void vocabulary_free(vocabulary *words);

/// The tokens of a text, as the recogniser was taught to write it; at most `most`. Returns how many; 0 when it has more, or
/// has bytes that are in no token.
int32_t vocabulary_split(const vocabulary *words, const char *text, int32_t *tokens, int32_t most);

/// Whether a token begins a new word or is no part of one: what was a whole word before it stays one.
bool vocabulary_ends_word(const vocabulary *words, int32_t token);

#endif
