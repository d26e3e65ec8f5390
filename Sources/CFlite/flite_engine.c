#include "flite_engine.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// flite's types are used through its functions alone, except for this one, which it hands out whole.
typedef struct {
  const char *type;
  int sample_rate;
  int sample_count;
  int channels;
  short *samples;
} flite_wave;

typedef struct {
  const char *name;
  void *features;
} flite_voice;  // the beginning of it

// Written once by flite_engine_load, before any other function is called.
static struct {
  int (*init)(void);
  flite_voice *(*kal16)(const char *);
  flite_voice *(*slt)(const char *);
  void *(*synth_text)(const char *, flite_voice *);
  flite_wave *(*text_to_wave)(const char *, flite_voice *);
  void (*delete_wave)(flite_wave *);
  void (*delete_utterance)(void *);
  void *(*relation)(const void *, const char *);
  void *(*head)(void *);
  void *(*next)(const void *);
  void *(*daughter)(const void *);
  void *(*parent)(const void *);
  void *(*as)(const void *, const char *);
  const char *(*feature)(const void *, const char *);
  const char *(*path_feature)(const void *, const char *);
  void (*set_float)(void *, const char *, float);
} flite;

static flite_voice *phonemes_voice, *speaking_voice;

#ifdef __APPLE__
#define LIBRARY(name) "lib" name ".dylib"
#else
#define LIBRARY(name) "lib" name ".so.1"
#endif

const char *flite_engine_load(void) {
  static char reason[512];
  if (speaking_voice) return NULL;
  const char *const libraries[] = {
    LIBRARY("flite"), LIBRARY("flite_cmulex"), LIBRARY("flite_usenglish"), LIBRARY("flite_cmu_us_kal16"),
    LIBRARY("flite_cmu_us_slt"),
  };
  enum { library_count = sizeof libraries / sizeof *libraries };
  void *handles[library_count];
  for (int index = 0; index < library_count; index++) {
    handles[index] = dlopen(libraries[index], RTLD_NOW | RTLD_GLOBAL);
    if (!handles[index]) {
      snprintf(reason, sizeof reason, "%s", dlerror());
      return reason;
    }
  }
  const struct { void *slot; const char *name; } symbols[] = {
    {&flite.init, "flite_init"},
    {&flite.kal16, "register_cmu_us_kal16"},
    {&flite.slt, "register_cmu_us_slt"},
    {&flite.synth_text, "flite_synth_text"},
    {&flite.text_to_wave, "flite_text_to_wave"},
    {&flite.delete_wave, "delete_wave"},
    {&flite.delete_utterance, "delete_utterance"},
    {&flite.relation, "utt_relation"},
    {&flite.head, "relation_head"},
    {&flite.next, "item_next"},
    {&flite.daughter, "item_daughter"},
    {&flite.parent, "item_parent"},
    {&flite.as, "item_as"},
    {&flite.feature, "item_feat_string"},
    {&flite.path_feature, "ffeature_string"},
    {&flite.set_float, "flite_feat_set_float"},
  };
  for (size_t index = 0; index < sizeof symbols / sizeof *symbols; index++) {
    void *symbol = NULL;
    for (int library = 0; library < library_count && !symbol; library++)
      symbol = dlsym(handles[library], symbols[index].name);
    if (!symbol) {
      snprintf(reason, sizeof reason, "flite has no %s", symbols[index].name);
      return reason;
    }
    memcpy(symbols[index].slot, &symbol, sizeof symbol);
  }
  flite.init();
  phonemes_voice = flite.kal16(NULL);
  speaking_voice = flite.slt(NULL);
  return phonemes_voice && speaking_voice ? NULL : "flite's voices could not be made";
}

char *flite_engine_pronounce(const char *text) {
  void *utterance = flite.synth_text(text, phonemes_voice);
  if (!utterance) return NULL;
  char *result = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&result, &size);
  for (void *word = flite.head(flite.relation(utterance, "Word")); out && word; word = flite.next(word)) {
    void *token = flite.parent(flite.as(word, "Token"));
    // Punctuation belongs to the token, and so stands behind its last word only.
    int is_last = token && !flite.next(flite.as(word, "Token"));
    fprintf(
      out, "w %s\t%s\t%s\n", flite.feature(word, "name"), flite.path_feature(word, "gpos"),
      is_last ? flite.feature(token, "punc") : "");
    void *syllable = flite.daughter(flite.as(word, "SylStructure"));
    for (; syllable; syllable = flite.next(syllable)) {
      fprintf(out, "s %s\n", flite.feature(syllable, "stress"));
      for (void *phone = flite.daughter(syllable); phone; phone = flite.next(phone))
        fprintf(out, "p %s\n", flite.feature(phone, "name"));
    }
  }
  if (out) fclose(out);
  flite.delete_utterance(utterance);
  return result;
}

void flite_engine_text_free(char *text) { free(text); }

int16_t *flite_engine_speak(const char *text, float stretch, int32_t *count, int32_t *rate) {
  flite.set_float(speaking_voice->features, "duration_stretch", stretch);
  flite_wave *wave = flite.text_to_wave(text, speaking_voice);
  if (!wave) return NULL;
  int16_t *samples = malloc((size_t)wave->sample_count * sizeof(int16_t) + 1);
  if (samples) memcpy(samples, wave->samples, (size_t)wave->sample_count * sizeof(int16_t));
  *count = wave->sample_count;
  *rate = wave->sample_rate;
  flite.delete_wave(wave);
  return samples;
}

void flite_engine_samples_free(int16_t *samples) { free(samples); }
