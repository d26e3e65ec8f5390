#include "terminal.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

static struct termios original;
static struct termios raw;
static volatile sig_atomic_t is_raw = 0;
static volatile sig_atomic_t signal_descriptor = -1;

static const int fatal_signals[] = {SIGQUIT, SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP};
enum { fatal_count = sizeof fatal_signals / sizeof *fatal_signals };
static struct sigaction previous[fatal_count];

void parley_terminal_leave(void) {
  if (is_raw) tcsetattr(STDIN_FILENO, TCSANOW, &original);
  is_raw = 0;
}

// Restore the terminal, then let whoever was there before (Swift's backtrace, or the default) have the signal.
static void on_fatal(int number) {
  parley_terminal_leave();
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
  if (was_raw && tcsetattr(STDIN_FILENO, TCSANOW, &raw) == 0) is_raw = 1;
  errno = code;
}

int parley_terminal_enter(void) {
  static int is_installed = 0;
  if (is_raw) return 0;
  if (tcgetattr(STDIN_FILENO, &original) != 0) return -1;
  raw = original;
  raw.c_lflag &= (tcflag_t) ~(ICANON | ECHO);
  raw.c_cc[VMIN] = 1;
  raw.c_cc[VTIME] = 0;
  if (!is_installed) {
    is_installed = 1;
    atexit(parley_terminal_leave);
    for (int index = 0; index < fatal_count; index++) install(fatal_signals[index], on_fatal, &previous[index]);
    install(SIGTSTP, on_suspend, NULL);
  }
  if (tcsetattr(STDIN_FILENO, TCSANOW, &raw) != 0) return -1;
  is_raw = 1;
  return 0;
}

static void on_signal(int number) {
  int code = errno;
  unsigned char byte = (unsigned char)number;
  ssize_t ignored = write(signal_descriptor, &byte, 1);
  (void)ignored;
  errno = code;
}

void parley_signals_to(int descriptor) {
  signal_descriptor = descriptor;
  install(SIGINT, on_signal, NULL);
  install(SIGTERM, on_signal, NULL);
  install(SIGHUP, on_signal, NULL);
  install(SIGPIPE, SIG_IGN, NULL);
}
