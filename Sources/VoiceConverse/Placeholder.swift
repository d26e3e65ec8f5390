// VoiceConverse
