import VoiceSound
import VoiceSystem
package import VoiceVocabulary

/// Writes the two sound tracks of a session, as Ogg Opus, lossless or both, on a thread of its own.
///
/// Any thread may hand over sound; it is written once a second. Each track keeps the session's time: where nothing was
/// heard or played there is silence, and also where the disk stalled for so long that sound had to be dropped, which is reported
/// when it begins and when it is over. A track begins with its first sound: one without any leaves no file. A track that cannot
/// be written is reported once and given up; the session goes on.
package final class SoundRecorder: @unchecked Sendable {
  /// How the sound is kept.
  package enum Form: String, Sendable {
    /// Ogg Opus, about 0.2 MB a minute for each track.
    case opus
    /// WAV, about 2 and 3 MB a minute.
    case lossless
    case both
  }

  // The tracks are touched on the thread of `thread` alone.
  private let thread: WriteBehind
  private let microphone: SoundTrack
  private let speaker: SoundTrack
  private let waiting = Locked(Waiting())
  private let post: @Sendable (VoiceEvent) -> Void

  private struct Part: Sendable {
    var track: SessionFolder.Track
    var samples: [Int16]
    var position: Int

    var seconds: Double {
      Double(samples.count) / Double(track == .microphone ? PCM.microphoneRate : PCM.speakerRate)
    }
  }

  private struct Waiting {
    var parts: [Part] = []
    var samples = 0
    /// Seconds of each track that were dropped, and of which the end was not told yet; empty while the disk keeps up.
    var dropped: [SessionFolder.Track: Double] = [:]

    mutating func takeParts() -> [Part] {
      defer { (parts, samples) = ([], 0) }
      return parts
    }
  }

  /// What becomes of a part that is handed over.
  private enum Acceptance { case first, following, firstDropped, dropped }

  /// - Parameters:
  ///   - thread: writes this and whatever else the session leaves behind.
  package init(
    _ folder: SessionFolder, form: Form, thread: WriteBehind = WriteBehind(),
    post: @escaping @Sendable (VoiceEvent) -> Void
  ) {
    self.thread = thread
    self.post = post
    microphone = SoundTrack(folder, .microphone, form, rate: PCM.microphoneRate, post: post)
    speaker = SoundTrack(folder, .speaker, form, rate: PCM.speakerRate, post: post)
    thread.add { [weak self] in self?.write() }
  }

  /// Keep a frame of the microphone, at its position.
  package func heard(_ frame: MicrophoneFrame) {
    hand(over: Part(track: .microphone, samples: frame.samples, position: frame.position))
  }

  /// - Parameter position: of the first sample, at 24 kHz, since the session started.
  package func played(_ samples: [Int16], _ position: Int) {
    hand(over: Part(track: .speaker, samples: samples, position: position))
  }

  /// Close the files; returns once everything handed over before is in them.
  package func finish() {
    thread.finish {
      microphone.close()
      speaker.close()
    }
  }

  private func hand(over part: Part) {
    let acceptance = waiting.withLock { waiting -> Acceptance in
      guard waiting.samples + part.samples.count <= Limits.waitingSoundSamples else {
        defer { waiting.dropped[part.track, default: 0] += part.seconds }
        return waiting.dropped.isEmpty ? .firstDropped : .dropped
      }
      waiting.samples += part.samples.count
      waiting.parts.append(part)
      return waiting.parts.count == 1 ? .first : .following
    }
    switch acceptance {
    case .first: thread.wake()
    case .firstDropped:
      post(
        .recordingFailed(
          reason:
            "The disk does not take the recording's sound, and so much waits for it that what is heard and said now "
            + "is left out."))
    case .following, .dropped: break
    }
  }

  private func write() {
    for part in waiting.withLock({ $0.takeParts() }) {
      switch part.track {
      case .microphone: microphone.append(part.samples, at: part.position)
      case .speaker: speaker.append(part.samples, at: part.position)
      }
    }
    microphone.write()
    speaker.write()
    tellRecovery()
  }

  /// Tell that nothing is dropped any more, if something was. A disk that is still behind has not recovered.
  private func tellRecovery() {
    let seconds = waiting.withLock { waiting -> Double? in
      guard waiting.samples <= Limits.waitingSoundSamples / 2 else { return nil }
      defer { waiting.dropped = [:] }
      return waiting.dropped.values.max()
    }
    // Of a track that was given up meanwhile, another report has told the end.
    guard let seconds, !microphone.isOver, !speaker.isOver else { return }
    post(
      .recordingFailed(
        reason:
          "The disk takes the recording's sound again. \(Int(seconds.rounded(.up))) s of it are missing: there is "
          + "silence in their place."))
  }
}

/// One track of a session: a WAV file, an Opus file, or both. Used on one queue.
private final class SoundTrack {
  private enum Files {
    /// There was no sound yet. Exits: `open`, `over`.
    case none
    /// Exits: `over`.
    case open(WaveWriter?, OpusWriter?)
    /// Closed, or given up.
    case over
  }

  private let folder: SessionFolder
  private let track: SessionFolder.Track
  private let form: SoundRecorder.Form
  private let rate: Int
  private let post: @Sendable (VoiceEvent) -> Void
  private var files = Files.none
  /// Samples written so far, and those that are to be written together.
  private var count = 0
  private var pending: [Int16] = []

  /// Whether it was closed or given up.
  var isOver: Bool { if case .over = files { true } else { false } }

  init(
    _ folder: SessionFolder, _ track: SessionFolder.Track, _ form: SoundRecorder.Form, rate: Int,
    post: @escaping @Sendable (VoiceEvent) -> Void
  ) {
    self.folder = folder
    self.track = track
    self.form = form
    self.rate = rate
    self.post = post
  }

  func append(_ samples: [Int16], at position: Int) {
    var gap = position - count - pending.count
    while gap > 0 {
      // In parts, so that an hour of silence takes no memory.
      let part = min(gap, rate)
      pending += repeatElement(0, count: part)
      write()
      gap -= part
    }
    pending += samples
  }

  /// Write what is pending.
  func write() {
    guard !pending.isEmpty else { return }
    attempt {
      if case .none = files { files = try opened() }
      guard case .open(let wave, let opus) = files else { return }
      try wave?.append(pending)
      try opus?.append(pending)
    }
    count += pending.count
    pending.removeAll(keepingCapacity: true)
  }

  func close() {
    write()
    attempt {
      guard case .open(let wave, let opus) = files else { return }
      try wave?.close()
      try opus?.close()
    }
    files = .over
  }

  private func opened() throws(SoundFileError) -> Files {
    .open(
      form == .opus ? nil : try WaveWriter(path: folder.wave(track), rate: rate, links: .refused),
      form == .lossless ? nil : try OpusWriter(path: folder.opus(track), rate: rate, links: .refused))
  }

  private func attempt(_ write: () throws -> Void) {
    do {
      try write()
    } catch {
      files = .over
      post(.recordingFailed(reason: "\(error). The sound is not recorded from here on."))
    }
  }
}
