#ifndef PARLEY_INFERENCE_H
#define PARLEY_INFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What is used of ONNX Runtime's C interface: a table of functions to which new ones are only appended, so the places of
// these hold for every version from 1.16 on.

typedef struct ort_status ort_status;
typedef struct ort_environment ort_environment;
typedef struct ort_options ort_options;
typedef struct ort_run_options ort_run_options;
typedef struct ort_session ort_session;
typedef struct ort_value ort_value;
typedef struct ort_memory ort_memory;
typedef struct ort_shape ort_shape;

enum { ORT_FLOAT = 1, ORT_INT64 = 7, ORT_BOOL = 9 };

/// Loads the library, once; NULL, or what went wrong. Any thread. The process gives freed memory back early from then on.
const char *ort_load(const char *path);
/// What went wrong last on this thread.
char *ort_reason(void);
/// Notes what went wrong; returns false.
bool ort_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/// A model, to be run by one thread; NULL when it cannot be.
ort_session *ort_open(const char *path);
/// The same, without a second copy of its weights in the order of the processor: a decoder is slower by a third then, a voice is
/// not.
ort_session *ort_open_small(const char *path);
void ort_close(ort_session *session);
/// Runs it. `outputs` are to be freed by the caller.
bool ort_run(ort_session *session, const char *const *input_names, const ort_value *const *inputs, size_t input_count,
             const char *const *output_names, size_t output_count, ort_value **outputs);
/// The same, after which the memory that it took is given back: for a model whose inputs differ much in size, since the
/// library else keeps what the largest took. It costs time.
bool ort_run_and_shrink(ort_session *session, const char *const *input_names, const ort_value *const *inputs,
                        size_t input_count, const char *const *output_names, size_t output_count, ort_value **outputs);
/// A tensor over memory of the caller's, which must outlive it; NULL when it cannot be made.
ort_value *ort_tensor(void *data, size_t bytes, const int64_t *shape, size_t dimensions, int type);
/// Its numbers, as long as it lives; NULL when there are none.
void *ort_data(ort_value *value);
/// The size of one dimension; -1 when it has none such.
int64_t ort_dimension(const ort_value *value, size_t index);
void ort_free(ort_value *value);

#endif
