#ifndef PARLEY_SOUND_CHATTER_H
#define PARLEY_SOUND_CHATTER_H

/// From now on, what the libraries of sound devices print for their authors is not seen: ALSA's and JACK's errors, which are told
/// as codes, too, and of standard error the lines in which PortAudio tells where in itself something failed, on whichever thread.
/// Everything else that is printed to standard error gets there. Called once, before PortAudio is used.
void parley_silence_sound_libraries(void);

#endif
