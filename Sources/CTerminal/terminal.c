#include "terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

extern char **environ;

static struct termios original;
static struct termios raw;
static volatile sig_atomic_t is_raw = 0;
static volatile sig_atomic_t is_editing = 0;
static volatile sig_atomic_t signal_descriptor = -1;
static volatile sig_atomic_t screen_descriptor = -1;
static volatile sig_atomic_t kept_errors = -1;

static const int fatal_signals[] = {SIGQUIT, SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP};
enum { fatal_count = sizeof fatal_signals / sizeof *fatal_signals };
static struct sigaction previous[fatal_count];

static void put(const char *text) {
  if (screen_descriptor < 0) return;
  ssize_t ignored = write(screen_descriptor, text, strlen(text));
  (void)ignored;
}

// Bracketed paste, and the kitty keyboard protocol: escape codes without ambiguity, with releases and text, for all keys.
static void switch_on(void) {
  is_raw = 1;
  put("\033[?2004h\033[>27u");
}

void parley_terminal_leave(void) {
  if (!is_raw) return;
  is_raw = 0;
  put("\033[<u\033[?2004l\r\033[J");
  tcsetattr(STDIN_FILENO, TCSANOW, &original);
}

// Restore the terminal, then let whoever was there before (Swift's backtrace, or the default) have the signal.
static void on_fatal(int number) {
  parley_terminal_leave();
  parley_errors_restore();
  for (int index = 0; index < fatal_count; index++) {
    if (fatal_signals[index] == number) sigaction(number, &previous[index], NULL);
  }
  raise(number);
}

static void install(int number, void (*handler)(int), struct sigaction *old) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(number, &action, old);
}

static void tell(int number) {
  unsigned char byte = (unsigned char)number;
  if (signal_descriptor < 0) return;
  ssize_t ignored = write(signal_descriptor, &byte, 1);
  (void)ignored;
}

static void on_suspend(int number) {
  int code = errno;
  int was_raw = is_raw;
  parley_terminal_leave();
  install(number, SIG_DFL, NULL);
  sigset_t only, old;
  sigemptyset(&only);
  sigaddset(&only, number);
  raise(number);
  sigprocmask(SIG_UNBLOCK, &only, &old);  // the program stops here, and goes on here
  sigprocmask(SIG_SETMASK, &old, NULL);
  install(number, on_suspend, NULL);
  // In the background this stops the program again. What was typed before was not meant for it.
  if (was_raw && tcsetattr(STDIN_FILENO, TCSAFLUSH, &raw) == 0) {
    switch_on();
    tell(SIGCONT);
  }
  errno = code;
}

// It was stopped without a chance to leave the terminal, and whoever had that meanwhile has left it in his own mode.
static void on_continue(int number) {
  int code = errno;
  if (is_raw && tcsetattr(STDIN_FILENO, TCSAFLUSH, &raw) == 0) {
    put("\033[?2004h\033[=27;1u");
    tell(number);
  }
  errno = code;
}

// Returns 0 once the program is in the foreground, where it belongs already; -1 where it never can be. Where the signal that stops
// it until then is blocked, as in most threads, it would change the terminal of others.
static int wait_for_foreground(void) {
  sigset_t stop, old;
  sigemptyset(&stop);
  sigaddset(&stop, SIGTTOU);
  pthread_sigmask(SIG_UNBLOCK, &stop, &old);
  int failed = tcsetpgrp(STDIN_FILENO, getpgrp());
  pthread_sigmask(SIG_SETMASK, &old, NULL);
  return failed;
}

static int enter(void) {
  if (is_raw) return 0;
  if (tcsetattr(STDIN_FILENO, TCSANOW, &raw) != 0) return -1;
  switch_on();
  return 0;
}

int parley_terminal_enter(int screen) {
  static int is_installed = 0;
  if (is_raw) return 0;
  // A terminal that is not the session's own has no foreground.
  if (wait_for_foreground() != 0 && errno != ENOTTY) return -1;
  if (tcgetattr(STDIN_FILENO, &original) != 0) return -1;
  screen_descriptor = isatty(screen) ? screen : -1;
  raw = original;
  raw.c_lflag &= (tcflag_t) ~(ICANON | ECHO);
  // Ctrl-S is a key like any other, too: the terminal would take no halt until Ctrl-Q.
  raw.c_iflag &= (tcflag_t)~IXON;
  // Ctrl-C is a key like any other: what it does is the program's decision, and in a line being edited it leaves that line.
  raw.c_cc[VINTR] = _POSIX_VDISABLE;
  raw.c_cc[VMIN] = 1;
  raw.c_cc[VTIME] = 0;
  if (!is_installed) {
    is_installed = 1;
    atexit(parley_terminal_leave);
    for (int index = 0; index < fatal_count; index++) install(fatal_signals[index], on_fatal, &previous[index]);
    install(SIGTSTP, on_suspend, NULL);
    install(SIGCONT, on_continue, NULL);
  }
  return enter();
}

int parley_terminal_columns(int screen) {
  struct winsize size;
  return ioctl(screen, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

int parley_terminal_rows(int screen) {
  struct winsize size;
  return ioctl(screen, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 ? size.ws_row : 24;
}

int parley_terminal_edit(const char *path) {
  char *const arguments[] = {"sh", "-c", "exec ${VISUAL:-${EDITOR:-vi}} \"$0\"", (char *)path, NULL};
  posix_spawnattr_t attributes;
  sigset_t defaults, none;
  pid_t child;
  int status = -1;
  int was_raw = is_raw;
  if (posix_spawnattr_init(&attributes) != 0) return -1;
  // The keys Ctrl-C and Ctrl-\ are the editor's while it runs, as with system(3).
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGINT);
  sigaddset(&defaults, SIGQUIT);
  sigaddset(&defaults, SIGTSTP);
  sigaddset(&defaults, SIGPIPE);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  // The thread that waits for it takes no signals; the editor is to be resized and stopped.
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  parley_terminal_leave();
  is_editing = 1;
  int failure = posix_spawnp(&child, "sh", NULL, &attributes, arguments, environ);
  posix_spawnattr_destroy(&attributes);
  if (failure == 0) {
    while (waitpid(child, &status, 0) < 0) {
      if (errno != EINTR) {
        status = -1;
        break;
      }
    }
  }
  is_editing = 0;
  if (was_raw) enter();
  return failure == 0 && status >= 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void on_signal(int number) {
  int code = errno;
  if (!(is_editing && number == SIGINT)) tell(number);
  errno = code;
}

void parley_signals_to(int descriptor) {
  signal_descriptor = descriptor;
  install(SIGINT, on_signal, NULL);
  install(SIGTERM, on_signal, NULL);
  install(SIGHUP, on_signal, NULL);
  install(SIGWINCH, on_signal, NULL);
  install(SIGPIPE, SIG_IGN, NULL);
  // A file that may not grow any more is an error of its writer, not the end of the program.
  install(SIGXFSZ, SIG_IGN, NULL);
}

void parley_standard_descriptors(void) {
  // The lowest free one is given out: those before it are there already.
  for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; descriptor++) {
    // Whoever writes to standard output or error is to learn that it is closed.
    int mode = descriptor == STDIN_FILENO ? O_RDWR : O_RDONLY;
    if (fcntl(descriptor, F_GETFD) < 0 && errno == EBADF) open("/dev/null", mode);
  }
}

long parley_open_files(long wanted) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return wanted;
  if (limit.rlim_cur < (rlim_t)wanted && limit.rlim_max > limit.rlim_cur) {
    limit.rlim_cur = limit.rlim_max < (rlim_t)wanted ? limit.rlim_max : (rlim_t)wanted;
    if (setrlimit(RLIMIT_NOFILE, &limit) != 0) getrlimit(RLIMIT_NOFILE, &limit);
  }
  return limit.rlim_cur > (rlim_t)wanted ? wanted : (long)limit.rlim_cur;
}

int parley_errors_divert(int descriptor) {
  if (kept_errors >= 0) return -1;
  int kept = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
  if (kept < 0) return -1;
  kept_errors = kept;
  return dup2(descriptor, STDERR_FILENO) < 0 ? -1 : kept;
}

void parley_errors_restore(void) {
  if (kept_errors < 0) return;
  dup2(kept_errors, STDERR_FILENO);
  close(kept_errors);
  kept_errors = -1;
}
