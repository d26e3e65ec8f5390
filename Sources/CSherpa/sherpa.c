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
