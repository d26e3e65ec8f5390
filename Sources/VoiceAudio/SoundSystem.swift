import CPortAudio
import CPulse
import VoiceSystem
import VoiceVocabulary

/// The sound system of the machine, started only when a device is used: probing all devices takes memory and about
/// 100 ms.
///
/// The library is not made for several threads; every call into it goes through `withLibrary`.
package final class SoundSystem: Sendable {
  /// A stream that was given up while its device did not answer: its callback may still come, and ends it then.
  private struct Abandoned: @unchecked Sendable {
    // Used inside `withLibrary` only.
    let stream: UnsafeMutableRawPointer
    let line: UnsafeMutablePointer<DeviceLine>
  }

  private let library = Locked<[Abandoned]>([])
  /// What was there at the start.
  package let devices: [SoundDevice]

  /// The library's version, as it says it itself.
  package static var version: String { Pa_GetVersionText().map { String(cString: $0) } ?? "unknown" }

  /// - Parameter answerSeconds: a sound server that has not answered by then is stuck; a busy machine takes a second or two.
  package init(answerSeconds: Int = 10) throws(AudioError) {
    _ = Self.silence
    try Self.begin(withinSeconds: answerSeconds)
    devices = try SoundDevice.list(
      library: { (0..<max(0, Pa_GetDeviceCount())).map(Self.describe) }, server: { SoundDevice.ofServer }
    ) { () throws(AudioError) in try Self.begin(withinSeconds: answerSeconds, isAgain: true) }
  }

  /// Begin to use the library, or begin once more, so that it looks for devices anew.
  private static func begin(withinSeconds seconds: Int, isAgain: Bool = false) throws(AudioError) {
    guard let code = quietly({ initialise(withinSeconds: seconds, isAgain: isAgain) }) else {
      throw AudioError.noSoundSystem(reason: "the sound server does not answer; restart it")
    }
    guard code == paNoError.rawValue else { throw AudioError.noSoundSystem(reason: message(code)) }
  }

  /// Only one thread at a time begins or ends to use the library, of whichever value.
  @discardableResult private static func atTheDoor(_ body: @Sendable () -> PaError) -> PaError {
    door.withLock { _ in body() }
  }

  private static let door = Locked(())

  /// Begin to use the library, which asks the sound server, and waits for it without an end. Returns nil where that is
  /// too long: the thread that waits is left behind, and undoes it should it ever be answered.
  ///
  /// To begin again is to end first, without leaving the door in between, and where it fails the library is not used
  /// any more. As long as another value uses it, it goes on, and looks for nothing.
  private static func initialise(withinSeconds seconds: Int, isAgain: Bool) -> PaError? {
    enum Answer: Equatable { case none, given(PaError), givenUp }
    let answer = Locked(Answer.none)
    SystemThread.detach(for: "the beginning of sound") {
      let code = Self.atTheDoor {
        if isAgain { Pa_Terminate() }
        return Pa_Initialize()
      }
      let isLate = answer.withLock { answer in
        defer { answer = .given(code) }
        return answer == .givenUp
      }
      if isLate, code == paNoError.rawValue { Self.atTheDoor { Pa_Terminate() } }
    }
    for _ in 0..<(seconds * 200) {
      if case .given(let code) = answer.withLock({ $0 }) { return code }
      usleep(5_000)
    }
    return answer.withLock { last in
      if case .given(let code) = last { return code }
      last = .givenUp
      return nil
    }
  }

  deinit {
    closeAnswered()
    // To terminate is to close all streams, and a device that never answers would be waited for without an end.
    let isOver = Locked(false)
    SystemThread.detach(for: "the end of sound") {
      Self.atTheDoor { Pa_Terminate() }
      isOver.withLock { $0 = true }
    }
    for _ in 0..<200 where !isOver.withLock({ $0 }) { usleep(10_000) }
  }

  /// Only one thread at a time is in the library.
  func withLibrary<Result: Sendable>(_ body: () -> Result) -> Result { library.withLock { _ in body() } }

  /// Leave this stream as it is until its device answers.
  func abandon(_ stream: UnsafeMutableRawPointer, _ line: UnsafeMutablePointer<DeviceLine>) {
    let abandoned = Abandoned(stream: stream, line: line)
    library.withLock { $0.append(abandoned) }
  }

  /// Close the streams that were given up, and whose devices have answered since: each holds a thread, and one of the sound server's
  /// streams.
  func closeAnswered() {
    library.withLock { all in
      all.removeAll { abandoned in
        guard Pa_IsStreamActive(abandoned.stream) == 0 else { return false }
        Self.endStream(abandoned.stream, abandoned.line)
        return true
      }
    }
  }

  /// To be called inside `withLibrary`.
  static func endStream(_ stream: UnsafeMutableRawPointer, _ line: UnsafeMutablePointer<DeviceLine>) {
    // Not Pa_AbortStream: it cancels the device's thread wherever that is.
    Pa_StopStream(stream)
    Pa_CloseStream(stream)
    line.deinitialize(count: 1)
    line.deallocate()
  }

  /// The library's index of what stands at this place in `devices`. What only the sound server knows is reached through the
  /// server's own device, which looks into the environment for the one that is meant, each time that it is opened.
  func libraryIndex(of index: Int, _ kind: SoundDeviceKind) throws(AudioError) -> Int32 {
    guard let name = devices[index].serverName else { return Int32(index) }
    guard let server = SoundDevice.wayToServer(kind, in: devices) else {
      throw AudioError.unusableDevice(kind, name: devices[index].name, reason: SoundDevice.noWayToServer)
    }
    OwnVariables.set(kind == .microphone ? "PULSE_SOURCE" : "PULSE_SINK", to: name)
    return Int32(server)
  }

  /// The place of a device in `devices`.
  func index(of kind: SoundDeviceKind, named fragment: String?) throws(AudioError) -> Int {
    try SoundDevice.choose(kind, named: fragment, from: devices)
  }

  /// See that a device is still the one that was chosen. The library goes by places that were found at the start, and a
  /// card of ALSA's that is plugged in later may have got the place of one that is gone. A sound server may give the sound of
  /// another where it has no device of a name.
  func expect(_ device: SoundDevice, _ kind: SoundDeviceKind) throws(AudioError) {
    let isThere =
      if let name = device.serverName {
        SoundDevice.ofServer.contains { $0.serverName == name && $0.serves(kind) }
      } else {
        Self.cards.map(device.isListed) ?? true
      }
    guard isThere else {
      throw AudioError.unusableDevice(kind, name: device.name, reason: "it is not connected any more")
    }
  }

  /// ALSA's list of cards; nil where there is no ALSA.
  private static var cards: String? {
    let file = open("/proc/asound/cards", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    // A card takes two lines of 80 characters, and there are 32 at most.
    var bytes = [UInt8](repeating: 0, count: 8192)
    let count = read(file, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }

  /// The library's words for an error.
  static func message(_ code: PaError) -> String {
    if code == paUnanticipatedHostError.rawValue, let info = Pa_GetLastHostErrorInfo(),
      let text = info.pointee.errorText, text.pointee != 0
    {
      return String(cString: text)
    }
    return String(cString: Pa_GetErrorText(code)).lowercased()
  }

  private static func describe(_ index: Int32) -> SoundDevice {
    guard let info = Pa_GetDeviceInfo(index) else {
      return SoundDevice(name: "", hostAPI: "", inputChannels: 0, outputChannels: 0, defaultRate: 0)
    }
    let host = Pa_GetHostApiInfo(info.pointee.hostApi)
    return SoundDevice(
      name: info.pointee.name.map { String(cString: $0) } ?? "",
      hostAPI: host.flatMap { $0.pointee.name }.map { String(cString: $0) } ?? "",
      inputChannels: Int(info.pointee.maxInputChannels), outputChannels: Int(info.pointee.maxOutputChannels),
      defaultRate: Int(info.pointee.defaultSampleRate), isDefaultMicrophone: index == Pa_GetDefaultInputDevice(),
      isDefaultSpeaker: index == Pa_GetDefaultOutputDevice())
  }

  /// Probing loads whatever ALSA has plugins for, and some of them print by themselves; look away for that moment.
  private static func quietly<Result>(_ body: () -> Result) -> Result {
    let saved = dup(STDERR_FILENO)
    let nowhere = open("/dev/null", O_WRONLY)
    if saved >= 0 && nowhere >= 0 { dup2(nowhere, STDERR_FILENO) }
    defer {
      if saved >= 0 { dup2(saved, STDERR_FILENO) }
      for descriptor in [saved, nowhere] where descriptor >= 0 { close(descriptor) }
    }
    return body()
  }

  /// What fails is told otherwise.
  private static let silence: Void = parley_silence_sound_libraries()
}
