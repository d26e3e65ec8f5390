package import VoiceSystem
package import VoiceVocabulary

/// How microphones and speakers are connected to a session and its recording. All closures may be called by any thread
/// and must not block.
package struct AudioWiring: Sendable {
  /// The session's clock.
  package var now: @Sendable () -> SessionTime
  /// Where events go. A session may take the step of a frame before the call returns, so a microphone holds no lock then that a
  /// port may want.
  package var post: @Sendable (VoiceEvent) -> Void
  /// Watches a pipe beside the live model's connection; nil has each pipe watched by a thread of its own.
  package var watch: DescriptorWatch?
  /// Gets every microphone frame just before it is posted, to be recorded.
  package var heard: (@Sendable (MicrophoneFrame) -> Void)?
  /// How long a pause ends an utterance, for the detector at the microphone.
  package var silenceMilliseconds = 600
  /// Called behind every microphone frame, by a thread that is awake anyway.
  var tick: (@Sendable () -> Void)?
  /// Asked which devices the sound server has, where there is one.
  var server: ServerDevices?
  /// Gets everything that really plays, to be recorded: sound at 24 kHz with the position of its first sample since the
  /// session started. Positions increase; a gap was silent.
  package var played: (@Sendable (_ samples: [Int16], _ position: Int) -> Void)?

  package init(
    now: @escaping @Sendable () -> SessionTime, post: @escaping @Sendable (VoiceEvent) -> Void,
    heard: (@Sendable (MicrophoneFrame) -> Void)? = nil,
    played: (@Sendable (_ samples: [Int16], _ position: Int) -> Void)? = nil
  ) {
    self.now = now
    self.post = post
    self.heard = heard
    self.played = played
  }

  /// The session's clock in samples of the given rate.
  func position(atRate rate: Int) -> Int { Int(now().microseconds) * rate / 1_000_000 }
}

/// Where a session's frames come from. Calls return at once.
package protocol Microphone: Sendable {
  /// Frames begin to arrive; called once.
  func start()
  /// No frame arrives any more once this returns.
  func stop()
}

/// Where a session's sound goes: the speaker half of `AudioPort`, with the same rules.
package protocol Speaker: Sendable {
  /// Play this behind what the same piece has already; 24 kHz, mono.
  func play(_ audio: SpeechAudio, of speech: SpeechID)
  /// Nothing more comes of this piece: `playbackEnded` follows its last sample.
  func finishPlaying(_ speech: SpeechID)
  /// Forget what was not played yet.
  func clearPlayback()
  /// Play softly until the rest is cleared or goes on.
  func duckPlayback()
  /// Play as loudly as before.
  func resumePlayback()
  /// Play a short signal over whatever plays.
  func play(_ earcon: Earcon)
  /// Nothing is played any more once this returns, and a file behind the speaker is whole.
  func stop()
}
