#ifndef PARLEY_AUDIO_PROCESSING_H
#define PARLEY_AUDIO_PROCESSING_H
int parley_apm_placeholder(void);
#endif
