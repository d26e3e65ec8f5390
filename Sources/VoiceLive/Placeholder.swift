// VoiceLive
