#include "vocabulary.h"

#include "inference.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TABLE_SIZE = 1 << 17, LONGEST_TOKEN = 255, LONGEST_TEXT = 400 };

static uint32_t hash(const char *bytes, size_t length) {
  uint32_t value = 2166136261u;
  for (size_t index = 0; index < length; index++) value = (value ^ (uint8_t)bytes[index]) * 16777619u;
  return value;
}

/// The number of the token with these bytes; -1 when there is none.
static int32_t find(const vocabulary *words, const char *bytes, size_t length) {
  for (uint32_t place = hash(bytes, length);; place++) {
    int32_t token = words->table[place % TABLE_SIZE];
    if (token < 0) return -1;
    if (words->lengths[token] == length && memcmp(words->bytes[token], bytes, length) == 0) return token;
  }
}

static void add(vocabulary *words, int32_t token) {
  if (find(words, words->bytes[token], words->lengths[token]) >= 0) return;
  uint32_t place = hash(words->bytes[token], words->lengths[token]);
  while (words->table[place % TABLE_SIZE] >= 0) place++;
  words->table[place % TABLE_SIZE] = token;
}

/// Decodes base 64 up to a character that is none; how many bytes, or -1 when they are too many.
static int decode(const char *text, char *bytes) {
  int count = 0, bits = 0;
  uint32_t held = 0;
  for (; *text; text++) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *place = strchr(digits, *text);
    if (!place) break;
    held = held << 6 | (uint32_t)(place - digits);
    if ((bits += 6) < 8) continue;
    bits -= 8;
    if (count == LONGEST_TOKEN) return -1;
    bytes[count++] = (char)(held >> bits);
  }
  return count;
}

/// Replaces each U+2581 by a blank; the new length.
static int with_blanks(char *bytes, int length) {
  int kept = 0;
  for (int index = 0; index < length; index++) {
    bool is_mark = index + 2 < length && memcmp(bytes + index, "\xE2\x96\x81", 3) == 0;
    bytes[kept++] = is_mark ? ' ' : bytes[index];
    if (is_mark) index += 2;
  }
  return kept;
}

bool vocabulary_read(vocabulary *words, const char *path) {
  memset(words, 0, sizeof *words);
  FILE *file = fopen(path, "r");
  words->table = malloc(TABLE_SIZE * sizeof *words->table);
  if (!file || !words->table) {
    if (file) fclose(file);
    return ort_fail("%s cannot be read", path);
  }
  for (int index = 0; index < TABLE_SIZE; index++) words->table[index] = -1;
  char line[1024], bytes[LONGEST_TOKEN];
  bool is_sound = true;
  while (is_sound && fgets(line, sizeof line, file)) {
    const char *tab = strrchr(line, '\t');
    long token = tab ? strtol(tab + 1, NULL, 10) : -1;
    int length = tab ? decode(line, bytes) : -1;
    is_sound = length >= 0 && token >= 0 && token < TOKEN_LIMIT && !words->bytes[token];
    if (!is_sound) break;
    length = with_blanks(bytes, length);
    words->bytes[token] = malloc((size_t)length + 1);
    if (!words->bytes[token]) {
      is_sound = false;
      break;
    }
    memcpy(words->bytes[token], bytes, (size_t)length);
    words->lengths[token] = (uint8_t)length;
    if (token >= words->count) words->count = (int32_t)token + 1;
  }
  fclose(file);
  for (int32_t token = 0; token < words->count; token++) is_sound = is_sound && words->bytes[token];
  if (!is_sound || words->count <= FIRST_PIECE_TOKEN) return ort_fail("%s is damaged", path);
  // Pieces before single bytes: a letter is both.
  for (int32_t token = FIRST_PIECE_TOKEN; token < words->count; token++) add(words, token);
  for (int32_t token = FIRST_TEXT_TOKEN; token < FIRST_PIECE_TOKEN; token++) add(words, token);
  return true;
}

void vocabulary_free(vocabulary *words) {
  for (int32_t token = 0; token < words->count; token++) free(words->bytes[token]);
  free(words->table);
}

/// How many bytes the UTF-8 character at this place has, as far as the text goes.
static size_t character(const char *text) {
  size_t length = 1;
  while (((uint8_t)text[length] & 0xC0) == 0x80) length++;
  return length;
}

int32_t vocabulary_split(const vocabulary *words, const char *text, int32_t *tokens, int32_t most) {
  struct { const char *bytes; size_t length; int32_t token; } parts[LONGEST_TEXT];
  char whole[LONGEST_TEXT + 1] = " ";
  if (strlen(text) >= LONGEST_TEXT) return 0;
  strcat(whole, text);
  int count = 0;
  for (const char *place = whole; *place; place += parts[count++].length) {
    size_t length = character(place);
    parts[count].bytes = place;
    parts[count].length = length;
    if ((parts[count].token = find(words, place, length)) < 0) return 0;
  }
  while (true) {
    int best = -1;
    int32_t best_token = TOKEN_LIMIT;
    for (int index = 0; index + 1 < count; index++) {
      size_t length = parts[index].length + parts[index + 1].length;
      int32_t token = find(words, parts[index].bytes, length);
      if (token >= FIRST_PIECE_TOKEN && token < best_token) {
        best = index;
        best_token = token;
      }
    }
    if (best < 0) break;
    parts[best].length += parts[best + 1].length;
    parts[best].token = best_token;
    memmove(parts + best + 1, parts + best + 2, (size_t)(count - best - 2) * sizeof *parts);
    count--;
  }
  if (count > most) return 0;
  for (int index = 0; index < count; index++) tokens[index] = parts[index].token;
  return count;
}

bool vocabulary_ends_word(const vocabulary *words, int32_t token) {
  if (token == TOKEN_END) return true;
  uint8_t first = words->lengths[token] ? (uint8_t)words->bytes[token][0] : ' ';
  return !isalnum(first) && first < 0x80;
}
