// VoiceTesting
