#ifdef __linux__
#include <sys/prctl.h>

// Swift cannot call functions with variable arguments.

/// Whoever descends from this process and loses his parent becomes its child.
static inline int parley_adopt_orphans(void) { return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); }

/// The system sends this signal when the thread that started this process is gone.
static inline int parley_signal_on_death_of_parent(int number) { return prctl(PR_SET_PDEATHSIG, number, 0, 0, 0); }
#endif
