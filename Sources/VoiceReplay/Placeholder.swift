// VoiceReplay
