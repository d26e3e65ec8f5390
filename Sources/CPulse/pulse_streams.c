#include "pulse_streams.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The parts of libpulse's interface that are used, as its headers have had them since version 1.0; structures are the
// beginnings of what it hands out.

enum { CONTEXT_READY = 4, CONTEXT_FAILED = 5, CONTEXT_TERMINATED = 6 };
enum { CONTEXT_NOAUTOSPAWN = 1 };
enum { EVENTS_OF_SINKS = 0x1, EVENTS_OF_SOURCES = 0x2, EVENTS_OF_SINK_INPUTS = 0x4, EVENTS_OF_SOURCE_OUTPUTS = 0x8 };
// What an event is of: a sink or a source, or else a stream.
enum { FACILITY = 0xf, SOURCES = 1 };

typedef struct {
  uint32_t index;
  const char *name;
  uint32_t owner_module;
  const char *driver;
  void *properties;
} client_info;

// A source output or a sink input.
typedef struct {
  uint32_t index;
  const char *name;
  uint32_t owner_module;
  uint32_t client;
  uint32_t device;
} stream_info;

// A source or a sink.
typedef struct {
  const char *name;
  uint32_t index;
  const char *description;
} device_info;

typedef void (*client_taken)(void *, const client_info *, int, void *);
typedef void (*stream_taken)(void *, const stream_info *, int, void *);
typedef void (*device_taken)(void *, const device_info *, int, void *);

// Written once, by whichever thread is the first to ask, and read afterwards.
static struct {
  void *(*loop_new)(void);
  void (*loop_free)(void *);
  int (*loop_start)(void *);
  void (*loop_stop)(void *);
  void (*loop_lock)(void *);
  void (*loop_unlock)(void *);
  void *(*loop_api)(void *);
  void *(*context_new)(void *, const char *);
  int (*context_connect)(void *, const char *, int, const void *);
  void (*context_disconnect)(void *);
  void (*context_unref)(void *);
  int (*context_state)(void *);
  void (*on_state)(void *, void (*)(void *, void *), void *);
  void (*on_event)(void *, void (*)(void *, int, uint32_t, void *), void *);
  void *(*subscribe)(void *, int, void *, void *);
  void *(*clients)(void *, client_taken, void *);
  void *(*source_outputs)(void *, stream_taken, void *);
  void *(*sink_inputs)(void *, stream_taken, void *);
  void *(*sources)(void *, device_taken, void *);
  void *(*sinks)(void *, device_taken, void *);
  void *(*source)(void *, uint32_t, device_taken, void *);
  void *(*sink)(void *, uint32_t, device_taken, void *);
  const char *(*property)(void *, const char *);
  void (*operation_unref)(void *);
} pulse;

enum { MOST_CLIENTS = 64 };

// What the callbacks of one side get: microphones, or else speakers.
typedef struct {
  parley_pulse_streams *streams;
  int is_microphone;
} one_side;

struct parley_pulse_streams {
  parley_pulse_told told;
  parley_pulse_there there;
  void *context;
  one_side sides[2];
  void *loop;
  // Everything below is touched on libpulse's thread, or under the loop's lock.
  void *connection;
  // The clients of the server that are, or were, connections of this process: the server gives no number twice. A few at
  // a time; of very many the oldest are forgotten.
  uint32_t clients[MOST_CLIENTS];
  unsigned client_count;
};

static int is_loaded;

static void load_once(void) {
  static const struct {
    const char *name;
    void *place;
  } wanted[] = {
    {"pa_threaded_mainloop_new", &pulse.loop_new},
    {"pa_threaded_mainloop_free", &pulse.loop_free},
    {"pa_threaded_mainloop_start", &pulse.loop_start},
    {"pa_threaded_mainloop_stop", &pulse.loop_stop},
    {"pa_threaded_mainloop_lock", &pulse.loop_lock},
    {"pa_threaded_mainloop_unlock", &pulse.loop_unlock},
    {"pa_threaded_mainloop_get_api", &pulse.loop_api},
    {"pa_context_new", &pulse.context_new},
    {"pa_context_connect", &pulse.context_connect},
    {"pa_context_disconnect", &pulse.context_disconnect},
    {"pa_context_unref", &pulse.context_unref},
    {"pa_context_get_state", &pulse.context_state},
    {"pa_context_set_state_callback", &pulse.on_state},
    {"pa_context_set_subscribe_callback", &pulse.on_event},
    {"pa_context_subscribe", &pulse.subscribe},
    {"pa_context_get_client_info_list", &pulse.clients},
    {"pa_context_get_source_output_info_list", &pulse.source_outputs},
    {"pa_context_get_sink_input_info_list", &pulse.sink_inputs},
    {"pa_context_get_source_info_list", &pulse.sources},
    {"pa_context_get_sink_info_list", &pulse.sinks},
    {"pa_context_get_source_info_by_index", &pulse.source},
    {"pa_context_get_sink_info_by_index", &pulse.sink},
    {"pa_proplist_gets", &pulse.property},
    {"pa_operation_unref", &pulse.operation_unref},
  };
  void *library = dlopen("libpulse.so.0", RTLD_NOW | RTLD_LOCAL);
  if (!library) return;
  for (size_t index = 0; index < sizeof wanted / sizeof *wanted; index++) {
    void *symbol = dlsym(library, wanted[index].name);
    if (!symbol) return;
    memcpy(wanted[index].place, &symbol, sizeof symbol);
  }
  is_loaded = 1;
}

static int load(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load_once);
  return is_loaded;
}

static void forget(void *operation) {
  if (operation) pulse.operation_unref(operation);
}

static void take_device(void *connection, const device_info *device, int end, void *context) {
  const one_side *side = context;
  if (end || !device) return;
  side->streams->told(side->streams->context, side->is_microphone, device->description ? device->description : device->name);
}

static int is_own(const parley_pulse_streams *streams, uint32_t client) {
  unsigned known = streams->client_count < MOST_CLIENTS ? streams->client_count : MOST_CLIENTS;
  for (unsigned index = 0; index < known; index++) {
    if (streams->clients[index] == client) return 1;
  }
  return 0;
}

static void take_stream(void *connection, const stream_info *stream, int end, void *context) {
  const one_side *side = context;
  if (end || !stream || !is_own(side->streams, stream->client)) return;
  forget((side->is_microphone ? pulse.source : pulse.sink)(connection, stream->device, take_device, context));
}

static void take_client(void *connection, const client_info *client, int end, void *context) {
  parley_pulse_streams *streams = context;
  if (end > 0) {
    forget(pulse.source_outputs(connection, take_stream, &streams->sides[1]));
    forget(pulse.sink_inputs(connection, take_stream, &streams->sides[0]));
  }
  if (end || !client || !client->properties || is_own(streams, client->index)) return;
  const char *process = pulse.property(client->properties, "application.process.id");
  if (process && atol(process) == (long)getpid()) {
    streams->clients[streams->client_count++ % MOST_CLIENTS] = client->index;
  }
}

static void look(parley_pulse_streams *streams) {
  forget(pulse.clients(streams->connection, take_client, streams));
}

static void note_device(void *connection, const device_info *device, int end, void *context) {
  const one_side *side = context;
  const parley_pulse_streams *streams = side->streams;
  if (end > 0) streams->there(streams->context, side->is_microphone, NULL, 0);
  if (!end && device) streams->there(streams->context, side->is_microphone, device->name, device->index);
}

static void look_at_devices(parley_pulse_streams *streams) {
  forget(pulse.sources(streams->connection, note_device, &streams->sides[1]));
  forget(pulse.sinks(streams->connection, note_device, &streams->sides[0]));
}

static void take_event(void *connection, int kind, uint32_t index, void *context) {
  if ((kind & FACILITY) <= SOURCES) {
    look_at_devices(context);
  } else {
    look(context);
  }
}

static void take_state(void *connection, void *context) {
  parley_pulse_streams *streams = context;
  if (pulse.context_state(connection) != CONTEXT_READY) return;
  forget(pulse.subscribe(
    connection, EVENTS_OF_SINKS | EVENTS_OF_SOURCES | EVENTS_OF_SINK_INPUTS | EVENTS_OF_SOURCE_OUTPUTS, NULL, NULL));
  look(streams);
  look_at_devices(streams);
}

// Under the loop's lock.
static void connect_anew(parley_pulse_streams *streams) {
  if (streams->connection) {
    pulse.on_state(streams->connection, NULL, NULL);
    pulse.on_event(streams->connection, NULL, NULL);
    pulse.context_disconnect(streams->connection);
    pulse.context_unref(streams->connection);
  }
  streams->client_count = 0;
  streams->connection = pulse.context_new(pulse.loop_api(streams->loop), "parley");
  if (!streams->connection) return;
  pulse.on_state(streams->connection, take_state, streams);
  pulse.on_event(streams->connection, take_event, streams);
  // Nobody's sound server is started for this.
  pulse.context_connect(streams->connection, NULL, CONTEXT_NOAUTOSPAWN, NULL);
}

parley_pulse_streams *parley_pulse_watch(parley_pulse_told told, parley_pulse_there there, void *context) {
  if (!load()) return NULL;
  parley_pulse_streams *streams = calloc(1, sizeof *streams);
  if (!streams) return NULL;
  streams->told = told;
  streams->there = there;
  streams->context = context;
  for (int side = 0; side < 2; side++) streams->sides[side] = (one_side){streams, side};
  streams->loop = pulse.loop_new();
  if (!streams->loop || pulse.loop_start(streams->loop) < 0) {
    if (streams->loop) pulse.loop_free(streams->loop);
    free(streams);
    return NULL;
  }
  pulse.loop_lock(streams->loop);
  connect_anew(streams);
  pulse.loop_unlock(streams->loop);
  return streams;
}

void parley_pulse_look(parley_pulse_streams *streams) {
  pulse.loop_lock(streams->loop);
  int state = streams->connection ? pulse.context_state(streams->connection) : CONTEXT_FAILED;
  if (state == CONTEXT_FAILED || state == CONTEXT_TERMINATED) {
    connect_anew(streams);
  } else if (state == CONTEXT_READY) {
    look(streams);
    look_at_devices(streams);
  }
  pulse.loop_unlock(streams->loop);
}

void parley_pulse_free(parley_pulse_streams *streams) {
  pulse.loop_lock(streams->loop);
  if (streams->connection) {
    pulse.on_state(streams->connection, NULL, NULL);
    pulse.on_event(streams->connection, NULL, NULL);
    pulse.context_disconnect(streams->connection);
    pulse.context_unref(streams->connection);
  }
  pulse.loop_unlock(streams->loop);
  pulse.loop_stop(streams->loop);
  pulse.loop_free(streams->loop);
  free(streams);
}

// What is being listed of one side. Touched on libpulse's thread, or under the loop's lock.
typedef struct {
  parley_pulse_listed listed;
  void *context;
  int is_microphone;
  int is_over;
} listing;

static void list_device(void *connection, const device_info *device, int end, void *context) {
  listing *list = context;
  if (end) list->is_over = 1;
  if (!end && device) list->listed(list->context, list->is_microphone, device->name, device->description);
}

int parley_pulse_devices(parley_pulse_listed listed, void *context, int milliseconds) {
  listing lists[] = {{listed, context, 0, 0}, {listed, context, 1, 0}};
  if (!load()) return -1;
  void *loop = pulse.loop_new();
  if (!loop || pulse.loop_start(loop) < 0) {
    if (loop) pulse.loop_free(loop);
    return -1;
  }
  pulse.loop_lock(loop);
  void *connection = pulse.context_new(pulse.loop_api(loop), "parley");
  int is_asked = 0;
  if (connection && pulse.context_connect(connection, NULL, CONTEXT_NOAUTOSPAWN, NULL) >= 0) {
    for (int passed = 0; !(lists[0].is_over && lists[1].is_over) && passed < milliseconds; passed += 2) {
      int state = pulse.context_state(connection);
      if (state == CONTEXT_FAILED || state == CONTEXT_TERMINATED) break;
      if (state == CONTEXT_READY && !is_asked) {
        is_asked = 1;
        forget(pulse.sources(connection, list_device, &lists[1]));
        forget(pulse.sinks(connection, list_device, &lists[0]));
      }
      pulse.loop_unlock(loop);
      usleep(2000);
      pulse.loop_lock(loop);
    }
  }
  if (connection) {
    pulse.context_disconnect(connection);
    pulse.context_unref(connection);
  }
  pulse.loop_unlock(loop);
  pulse.loop_stop(loop);
  pulse.loop_free(loop);
  return lists[0].is_over && lists[1].is_over ? 0 : -1;
}
