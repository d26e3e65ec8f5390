#include <portaudio.h>

#ifdef __linux__
#include <dlfcn.h>

static void parley_ignore_alsa(const char *file, int line, const char *function, int code, const char *format, ...) {}

// ALSA prints each underrun and each device that it probes in vain to standard error. It is loaded by PortAudio and
// looked up here, so that nothing more needs to be linked.
static inline void parley_silence_alsa(void) {
  typedef int (*set_handler)(void (*)(const char *, int, const char *, int, const char *, ...));
  set_handler set = (set_handler)dlsym(RTLD_DEFAULT, "snd_lib_error_set_handler");
  if (set) set(parley_ignore_alsa);
}
#else
static inline void parley_silence_alsa(void) {}
#endif
