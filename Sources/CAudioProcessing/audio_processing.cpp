#include "audio_processing.h"
int parley_apm_placeholder(void) { return 0; }
