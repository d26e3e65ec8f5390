// VoiceGuide
