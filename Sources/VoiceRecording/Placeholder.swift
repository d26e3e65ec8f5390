// VoiceRecording
