#ifndef PARLEY_PULSE_STREAMS_H
#define PARLEY_PULSE_STREAMS_H

#include <stdint.h>

// Which devices a PulseAudio server (or PipeWire in its place) has connected this process to. Below ALSA's device "default"
// the server moves a program to another microphone or speaker without a word; only the server itself can be asked.
//
// libpulse is loaded when it is first wanted; where ALSA's plugin for the server is used, it is loaded already. It runs its
// own thread, on which `told` and `there` are called.

typedef struct parley_pulse_streams parley_pulse_streams;

/// A stream of this process is connected to the device of this name: its microphone, or else its speaker. Told at first, and
/// whenever the server says that something about its streams has changed, be it the same device as before.
typedef void (*parley_pulse_told)(void *context, int is_microphone, const char *device);

/// The server has a microphone of this name, or else a speaker, under a number that no later one gets; NULL: that were all. Told
/// at first, and whenever a device comes, changes or goes.
typedef void (*parley_pulse_there)(void *context, int is_microphone, const char *name, uint32_t number);

/// A microphone of the server's, or else a speaker: by its name, and as people know it, which may be NULL.
typedef void (*parley_pulse_listed)(void *context, int is_microphone, const char *name, const char *description);

/// Tells all devices of the server before it returns, on another thread. Waits so many milliseconds at most. Returns 0, or -1
/// if there is no server, or it has not told all.
int parley_pulse_devices(parley_pulse_listed listed, void *context, int milliseconds);

/// Begins to watch. NULL if there is no libpulse, or it cannot be started. The server may come later.
parley_pulse_streams *parley_pulse_watch(parley_pulse_told told, parley_pulse_there there, void *context);

/// Looks anew, and connects again where the server was restarted. Any thread but libpulse's.
void parley_pulse_look(parley_pulse_streams *streams);

/// Ends the watch: nothing is called any more once this returns. Any thread but libpulse's.
void parley_pulse_free(parley_pulse_streams *streams);

#endif
