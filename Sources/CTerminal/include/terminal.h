#ifndef PARLEY_TERMINAL_H
#define PARLEY_TERMINAL_H

// What must be done in C, because it happens inside signal handlers or between processes: bringing the terminal back
// whatever ends the program, turning signals into bytes of a pipe, lending the terminal to an editor, and keeping what
// libraries write on standard error off the screen. One terminal, standard input.

/// Keys arrive one at a time and are not echoed; Ctrl-C is one of them, Ctrl-Z and Ctrl-\\ still raise signals. Where `screen` is a terminal,
/// it is asked for bracketed paste and for the kitty keyboard protocol. The old state comes back on leave, on exit, on a
/// fatal signal and while the program is suspended. 0, or -1 if standard input is no terminal.
int parley_terminal_enter(int screen);

/// Bring the old state back; does nothing if it was not left.
void parley_terminal_leave(void);

/// The width of the terminal behind this descriptor; 80 if it does not tell.
int parley_terminal_columns(int screen);

/// Its height; 24 if it does not tell.
int parley_terminal_rows(int screen);

/// Let $VISUAL, $EDITOR or vi edit a file in this terminal, and wait for its end. Nobody may read standard input meanwhile.
/// The editor's exit code; -1 if it could not run.
int parley_terminal_edit(const char *path);

/// From now on SIGINT, SIGTERM, SIGHUP and SIGWINCH, and SIGCONT once the terminal is raw again after a suspension, write
/// their number, as one byte, to this descriptor instead of what they usually do; SIGPIPE is ignored.
void parley_signals_to(int descriptor);

/// Open /dev/null in place of standard input, output and error where they are closed, before anything else is opened: or a
/// recording, a socket or a pipe of ours gets their number, and what is written there goes into it. In place of the last two
/// it is not writable, so that to write there is the error that it would be.
void parley_standard_descriptors(void);

/// How many descriptors may be open at once: at least `wanted` where that can be had.
long parley_open_files(long wanted);

/// Standard error goes to this descriptor until `parley_errors_restore`. A descriptor of the old one, or -1.
int parley_errors_divert(int descriptor);

/// Standard error is what it was; does nothing if it was not diverted.
void parley_errors_restore(void);

#endif
