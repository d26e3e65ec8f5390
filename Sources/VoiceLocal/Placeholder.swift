// VoiceLocal
