// VoiceAudio
