#include "sherpa.h"
int parley_sherpa_placeholder(void) { return 0; }
