#include "sherpa.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VERSION "2.0.1"

// The structures as the library lays them out on 64-bit machines; `unused` spans are zero, which means "not given".

typedef struct {
  int32_t sample_rate;
  int32_t feature_dimension;
  const char *unused1[12];
  const char *tokens;
  int32_t threads;
  int32_t debug;
  const char *provider;
  const char *unused2[7];
  const char *moonshine_preprocessor;
  const char *moonshine_encoder;
  const char *moonshine_uncached_decoder;
  const char *moonshine_cached_decoder;
  const char *moonshine_merged_decoder;
  const char *unused3[38];
  const char *decoding_method;
  int32_t active_paths;
  const char *unused4[10];
} recogniser_config;
_Static_assert(offsetof(recogniser_config, tokens) == 104, "layout of the recogniser's configuration");
_Static_assert(offsetof(recogniser_config, moonshine_preprocessor) == 184, "layout of the recogniser's configuration");
_Static_assert(offsetof(recogniser_config, decoding_method) == 528, "layout of the recogniser's configuration");
_Static_assert(sizeof(recogniser_config) == 624, "layout of the recogniser's configuration");

typedef struct {
  const char *model;
  const char *lexicon;
  const char *tokens;
  const char *data_folder;
  float noise_scale;
  float noise_scale_width;
  float length_scale;
  const char *dictionary_folder;
  int32_t threads;
  int32_t debug;
  const char *provider;
  const char *unused1[44];
  const char *rule_fsts;
  int32_t longest_batch_sentences;
  const char *rule_fars;
  float silence_scale;
} voice_config;
_Static_assert(offsetof(voice_config, threads) == 56, "layout of the voice's configuration");
_Static_assert(offsetof(voice_config, rule_fsts) == 424, "layout of the voice's configuration");
_Static_assert(sizeof(voice_config) == 456, "layout of the voice's configuration");

typedef struct {
  float silence_scale;
  float speed;
  int32_t speaker;
  const float *reference_audio;
  int32_t reference_audio_count;
  int32_t reference_sample_rate;
  const char *reference_text;
  int32_t steps;
  const char *extra;
  const int32_t *phonemes;
  const int32_t *phoneme_counts;
  int32_t sentences;
  const char *const *tokens;
  const int32_t *token_counts;
  int32_t token_sentences;
} speak_config;
_Static_assert(offsetof(speak_config, phonemes) == 56, "layout of the request to speak");
_Static_assert(sizeof(speak_config) == 104, "layout of the request to speak");

typedef struct {
  const float *samples;
  int32_t count;
  int32_t rate;
} sound;

typedef struct {
  const char *text;  // the first of many fields; the library makes and frees the whole
} recognition;

// Written once by sherpa_load, before any other function is called, and only read after that.
static struct {
  const char *(*version)(void);
  sherpa_recogniser *(*create_recogniser)(const recogniser_config *);
  const void *(*create_stream)(const sherpa_recogniser *);
  void (*destroy_stream)(const void *);
  void (*accept)(const void *, int32_t, const float *, int32_t);
  void (*decode)(const sherpa_recogniser *, const void *);
  const recognition *(*result)(const void *);
  void (*destroy_result)(const recognition *);
  sherpa_voice *(*create_voice)(const voice_config *);
  const sound *(*speak)(const sherpa_voice *, const char *, const speak_config *, void *, void *);
  void (*destroy_sound)(const sound *);
} library;

const char *sherpa_load(const char *path) {
  static char reason[512];
  void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    snprintf(reason, sizeof reason, "%s", dlerror());
    return reason;
  }
  const struct { void *slot; const char *name; } symbols[] = {
    {&library.version, "SherpaOnnxGetVersionStr"},
    {&library.create_recogniser, "SherpaOnnxCreateOfflineRecognizer"},
    {&library.create_stream, "SherpaOnnxCreateOfflineStream"},
    {&library.destroy_stream, "SherpaOnnxDestroyOfflineStream"},
    {&library.accept, "SherpaOnnxAcceptWaveformOffline"},
    {&library.decode, "SherpaOnnxDecodeOfflineStream"},
    {&library.result, "SherpaOnnxGetOfflineStreamResult"},
    {&library.destroy_result, "SherpaOnnxDestroyOfflineRecognizerResult"},
    {&library.create_voice, "SherpaOnnxCreateOfflineTts"},
    {&library.speak, "SherpaOnnxOfflineTtsGenerateWithConfig"},
    {&library.destroy_sound, "SherpaOnnxDestroyOfflineTtsGeneratedAudio"},
  };
  for (size_t index = 0; index < sizeof symbols / sizeof *symbols; index++) {
    void *symbol = dlsym(handle, symbols[index].name);
    if (!symbol) {
      snprintf(reason, sizeof reason, "%s has no %s", path, symbols[index].name);
      return reason;
    }
    memcpy(symbols[index].slot, &symbol, sizeof symbol);
  }
  if (strcmp(library.version(), VERSION) != 0) {
    snprintf(reason, sizeof reason, "%s is version %s, but " VERSION " is needed", path, library.version());
    return reason;
  }
  return NULL;
}

sherpa_recogniser *sherpa_recogniser_create(const char *encoder, const char *decoder, const char *tokens) {
  recogniser_config config = {
    .sample_rate = 16000, .feature_dimension = 80, .tokens = tokens, .threads = 1, .provider = "cpu",
    .moonshine_encoder = encoder, .moonshine_merged_decoder = decoder, .decoding_method = "greedy_search",
  };
  return library.create_recogniser(&config);
}

char *sherpa_recogniser_decode(const sherpa_recogniser *recogniser, const float *samples, int32_t count) {
  const void *stream = library.create_stream(recogniser);
  if (!stream) return NULL;
  library.accept(stream, 16000, samples, count);
  library.decode(recogniser, stream);
  const recognition *result = library.result(stream);
  char *text = result ? strdup(result->text ? result->text : "") : NULL;
  if (result) library.destroy_result(result);
  library.destroy_stream(stream);
  return text;
}

void sherpa_text_free(char *text) { free(text); }

sherpa_voice *sherpa_voice_create(const char *model, const char *tokens) {
  // A little less variation than the voice was trained with: the recogniser understood it better.
  voice_config config = {
    .model = model, .tokens = tokens, .noise_scale = 0.4f, .noise_scale_width = 0.6f, .length_scale = 1.0f,
    .threads = 1, .provider = "cpu", .longest_batch_sentences = 1, .silence_scale = 0.2f,
  };
  return library.create_voice(&config);
}

float *sherpa_voice_speak(
  const sherpa_voice *voice, const int32_t *phonemes, int32_t phoneme_count, float speed, int32_t *count, int32_t *rate) {
  speak_config config = {
    .silence_scale = 0.2f, .speed = speed, .phonemes = phonemes, .phoneme_counts = &phoneme_count, .sentences = 1,
  };
  const sound *made = library.speak(voice, "", &config, NULL, NULL);
  if (!made) return NULL;
  float *samples = made->count > 0 ? malloc((size_t)made->count * sizeof(float)) : NULL;
  if (samples) memcpy(samples, made->samples, (size_t)made->count * sizeof(float));
  *count = made->count;
  *rate = made->rate;
  library.destroy_sound(made);
  return samples;
}

void sherpa_samples_free(float *samples) { free(samples); }
