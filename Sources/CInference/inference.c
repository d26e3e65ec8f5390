#include "inference.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

// Places in the table of functions.
enum {
  GET_ERROR_MESSAGE = 2, CREATE_ENVIRONMENT = 3, CREATE_SESSION = 7, RUN = 9, CREATE_OPTIONS = 10,
  SET_OPTIMISATION = 23, SET_THREADS = 24, SET_OUTER_THREADS = 25, CREATE_RUN_OPTIONS = 39, CREATE_TENSOR = 49,
  TENSOR_DATA = 51, DIMENSION_COUNT = 61, DIMENSIONS = 62, TENSOR_SHAPE = 65, CREATE_MEMORY = 69, RELEASE_STATUS = 93,
  RELEASE_SESSION = 95, RELEASE_VALUE = 96, RELEASE_SHAPE = 99, RELEASE_OPTIONS = 100, ADD_ENTRY = 130,
  ADD_RUN_ENTRY = 165,
};
// The version whose table has all of these; every later library serves it.
enum { VERSION = 16 };
enum { ERRORS_ONLY = 3, ALL_OPTIMISATIONS = 99, ARENA = 1, DEFAULT_MEMORY = 0 };

typedef void (*function)(void);
typedef struct {
  const function *(*table)(uint32_t version);
  const char *(*version)(void);
} base;

// Written once by ort_load, under its lock, before any other function is called, and only read after that.
static struct {
  const function *table;
  ort_environment *environment;
  ort_memory *memory;
  /// For a run after which its memory is given back.
  ort_run_options *shrinking;
  bool is_loaded;
} library;

static _Thread_local char reason[512];

char *ort_reason(void) { return reason; }

bool ort_fail(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(reason, sizeof reason, format, arguments);
  va_end(arguments);
  return false;
}

#define CALL(place, type, ...) (((type)library.table[place])(__VA_ARGS__))

/// Whether a call succeeded; its status is used up.
static bool succeeded(ort_status *status) {
  if (!status) return true;
  ort_fail("%s", CALL(GET_ERROR_MESSAGE, const char *(*)(const ort_status *), status));
  CALL(RELEASE_STATUS, void (*)(ort_status *), status);
  return false;
}

static const char *load(const char *path) {
  void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    ort_fail("%s", dlerror());
    return reason;
  }
  const base *(*get)(void) = (const base *(*)(void))dlsym(handle, "OrtGetApiBase");
  library.table = get ? get()->table(VERSION) : NULL;
  if (!library.table) {
    ort_fail("%s is no ONNX Runtime of version 1.%d or newer", path, VERSION);
    return reason;
  }
  if (!succeeded(CALL(CREATE_ENVIRONMENT, ort_status *(*)(int, const char *, ort_environment **), ERRORS_ONLY, "parley",
                      &library.environment))
      || !succeeded(CALL(CREATE_MEMORY, ort_status *(*)(int, int, ort_memory **), ARENA, DEFAULT_MEMORY,
                         &library.memory))
      || !succeeded(CALL(CREATE_RUN_OPTIONS, ort_status *(*)(ort_run_options **), &library.shrinking))
      || !succeeded(CALL(ADD_RUN_ENTRY, ort_status *(*)(ort_run_options *, const char *, const char *),
                         library.shrinking, "memory.enable_memory_arena_shrinkage", "cpu:0")))
    return reason;
#ifdef __GLIBC__
  // Of itself, the C library soon keeps blocks of up to 32 MB that were freed, and twice as much at the end of each heap.
  mallopt(M_MMAP_THRESHOLD, 1 << 20);
  mallopt(M_TRIM_THRESHOLD, 1 << 20);
#endif
  library.is_loaded = true;
  return NULL;
}

const char *ort_load(const char *path) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&lock);
  const char *failure = library.is_loaded ? NULL : load(path);
  pthread_mutex_unlock(&lock);
  return failure;
}

static ort_session *open_model(const char *path, bool is_small) {
  ort_options *options = NULL;
  ort_session *session = NULL;
  if (!succeeded(CALL(CREATE_OPTIONS, ort_status *(*)(ort_options **), &options))) return NULL;
  typedef ort_status *(*set)(ort_options *, int);
  typedef ort_status *(*add)(ort_options *, const char *, const char *);
  if (!succeeded(CALL(SET_THREADS, set, options, 1)) || !succeeded(CALL(SET_OUTER_THREADS, set, options, 1))
      || !succeeded(CALL(SET_OPTIMISATION, set, options, ALL_OPTIMISATIONS))
      // Folded constants would be 50 MB of the decoder, and twice that while it is loaded; without, it is as fast.
      || !succeeded(CALL(ADD_ENTRY, add, options, "optimization.disable_specified_optimizers", "ConstantFolding"))
      // On x86-64 without VNNI, sums of 8-bit products are clipped at 16 bits unless this is asked for.
      || !succeeded(CALL(ADD_ENTRY, add, options, "session.x64quantprecision", "1"))
      || !succeeded(CALL(ADD_ENTRY, add, options, "session.disable_prepacking", is_small ? "1" : "0"))
      || !succeeded(CALL(CREATE_SESSION,
                         ort_status *(*)(const ort_environment *, const char *, const ort_options *, ort_session **),
                         library.environment, path, options, &session)))
    session = NULL;
  CALL(RELEASE_OPTIONS, void (*)(ort_options *), options);
  return session;
}

ort_session *ort_open(const char *path) { return open_model(path, false); }

ort_session *ort_open_small(const char *path) { return open_model(path, true); }

void ort_close(ort_session *session) {
  if (session) CALL(RELEASE_SESSION, void (*)(ort_session *), session);
}

static bool run(ort_session *session, const ort_run_options *options, const char *const *input_names,
                const ort_value *const *inputs, size_t input_count, const char *const *output_names, size_t output_count,
                ort_value **outputs) {
  for (size_t index = 0; index < output_count; index++) outputs[index] = NULL;
  return succeeded(CALL(RUN,
                        ort_status *(*)(ort_session *, const ort_run_options *, const char *const *,
                                        const ort_value *const *, size_t, const char *const *, size_t, ort_value **),
                        session, options, input_names, inputs, input_count, output_names, output_count, outputs));
}

bool ort_run(ort_session *session, const char *const *input_names, const ort_value *const *inputs, size_t input_count,
             const char *const *output_names, size_t output_count, ort_value **outputs) {
  return run(session, NULL, input_names, inputs, input_count, output_names, output_count, outputs);
}

bool ort_run_and_shrink(ort_session *session, const char *const *input_names, const ort_value *const *inputs,
                        size_t input_count, const char *const *output_names, size_t output_count, ort_value **outputs) {
  return run(session, library.shrinking, input_names, inputs, input_count, output_names, output_count, outputs);
}

ort_value *ort_tensor(void *data, size_t bytes, const int64_t *shape, size_t dimensions, int type) {
  ort_value *value = NULL;
  bool is_made = succeeded(CALL(CREATE_TENSOR,
                                ort_status *(*)(const ort_memory *, void *, size_t, const int64_t *, size_t, int,
                                                ort_value **),
                                library.memory, data, bytes, shape, dimensions, type, &value));
  return is_made ? value : NULL;
}

void *ort_data(ort_value *value) {
  void *data = NULL;
  return succeeded(CALL(TENSOR_DATA, ort_status *(*)(ort_value *, void **), value, &data)) ? data : NULL;
}

int64_t ort_dimension(const ort_value *value, size_t index) {
  ort_shape *shape = NULL;
  size_t count = 0;
  int64_t sizes[8];
  if (!succeeded(CALL(TENSOR_SHAPE, ort_status *(*)(const ort_value *, ort_shape **), value, &shape))) return -1;
  bool is_known = succeeded(CALL(DIMENSION_COUNT, ort_status *(*)(const ort_shape *, size_t *), shape, &count))
      && index < count && count <= 8
      && succeeded(CALL(DIMENSIONS, ort_status *(*)(const ort_shape *, int64_t *, size_t), shape, sizes, count));
  CALL(RELEASE_SHAPE, void (*)(ort_shape *), shape);
  return is_known ? sizes[index] : -1;
}

void ort_free(ort_value *value) {
  if (value) CALL(RELEASE_VALUE, void (*)(ort_value *), value);
}
