#define _GNU_SOURCE
#include "sound_chatter.h"

#ifdef __linux__
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void ignore_alsa(const char *file, int line, const char *function, int code, const char *format, ...) {}

static void ignore_jack(const char *text) {}

// PortAudio 19.6 has no other way out for these lines: Expression 'AlsaOpen( … )' failed in 'src/hostapi/…', line: 1904
static int is_portaudio(const char *line, size_t size) {
  static const char start[] = "Expression '", middle[] = "' failed in 'src/";
  return size >= sizeof start - 1 && !memcmp(line, start, sizeof start - 1) &&
    memmem(line, size, middle, sizeof middle - 1);
}

// libpulse says this of each connection in a home that it cannot write in, and connects all the same.
static int is_pulse(const char *line, size_t size) {
  static const char start[] = "Failed to ", middle[] = " cookie file";
  // On a terminal it is coloured.
  return memmem(line, size, start, sizeof start - 1) && memmem(line, size, middle, sizeof middle - 1);
}

static void pass(const char *text, size_t size) {
  while (size > 0) {
    ssize_t written = write(STDERR_FILENO, text, size);
    if (written < 0 && errno != EINTR) return;
    if (written > 0) text += written, size -= (size_t)written;
  }
}

static ssize_t take(void *cookie, const char *text, size_t size) {
  for (size_t start = 0; start < size;) {
    const char *end = memchr(text + start, '\n', size - start);
    size_t length = end ? (size_t)(end + 1 - (text + start)) : size - start;
    if (!is_portaudio(text + start, length) && !is_pulse(text + start, length)) pass(text + start, length);
    start += length;
  }
  return (ssize_t)size;
}

void parley_silence_sound_libraries(void) {
  // The libraries are loaded with PortAudio, and looked up here, so that nothing more needs to be linked.
  typedef void (*alsa_handler)(const char *, int, const char *, int, const char *, ...);
  int (*set_alsa)(alsa_handler) = dlsym(RTLD_DEFAULT, "snd_lib_error_set_handler");
  if (set_alsa) set_alsa(ignore_alsa);
  static const char *const setters[] = {"jack_set_error_function", "jack_set_info_function"};
  for (unsigned index = 0; index < 2; index++) {
    void (*set_jack)(void (*)(const char *)) = dlsym(RTLD_DEFAULT, setters[index]);
    if (set_jack) set_jack(ignore_jack);
  }
  FILE *filtered = fopencookie(NULL, "w", (cookie_io_functions_t){.write = take});
  if (!filtered) return;
  // Each print comes whole, and at once, as it does from the stream in whose place this one is.
  setvbuf(filtered, NULL, _IONBF, 0);
  stderr = filtered;
}
#else
void parley_silence_sound_libraries(void) {}
#endif
