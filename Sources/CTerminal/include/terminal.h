#ifndef PARLEY_TERMINAL_H
#define PARLEY_TERMINAL_H

// What must be done in C, because it happens inside signal handlers: bringing the terminal back whatever ends the
// program, and turning signals into bytes of a pipe. One terminal, standard input.

/// Keys arrive one at a time and are not echoed; signals keys (Ctrl-C, Ctrl-Z) still work. The old state comes back on
/// leave, on exit, on a fatal signal and while the program is suspended. 0, or -1 if standard input is no terminal.
int parley_terminal_enter(void);

/// Bring the old state back; does nothing if it was not left.
void parley_terminal_leave(void);

/// From now on SIGINT, SIGTERM and SIGHUP write their number, as one byte, to this descriptor instead of ending the
/// program; SIGPIPE is ignored.
void parley_signals_to(int descriptor);

#endif
