#ifndef PARLEY_SHERPA_H
#define PARLEY_SHERPA_H
int parley_sherpa_placeholder(void);
#endif
