package import VoiceVocabulary

/// Something to be done, in this order.
package enum ChildEffect: Equatable, Sendable {
  /// Start a child that begins with this session; `launched` or `ended` follows.
  case launch(AgentSessionStart)
  /// Write these bytes, whole lines, to the child.
  case send([UInt8])
  /// Close the child's input behind what was sent.
  case closeInput
  /// End the child; `ended` follows.
  case terminate
  /// The same, because the user wants its work to stop: it gets no time to end by itself.
  case terminateAtOnce
  /// Call `passed` with this deadline after this time, unless the child has ended.
  case arm(ChildDeadline, milliseconds: Int)
  /// Do this to a file, and call `served`.
  case serve(FileRequest)
  case post(VoiceEvent)
}

/// What is waited for, for a time.
package enum ChildDeadline: Hashable, Sendable {
  /// The session should stand by now.
  case slowStart
  /// The session must stand.
  case start
  /// This run must have ended after it was cancelled.
  case cancellation(RunID)
  /// A hook of the user's should be over.
  case hook(String)
  /// Nothing more may have come of what the agent began by itself since so much was told of it.
  case quiet(RunID, told: Int)
}
