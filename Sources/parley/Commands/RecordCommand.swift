import ArgumentParser
import VoiceAudio
import VoiceConfiguration
import VoiceCore
import VoiceLanguage
import VoiceLoop
import VoiceRecording
import VoiceVocabulary

/// `parley record`: only listen, and keep what was heard, for a fixture or a bug report.
struct RecordCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Record the microphone into a new folder, until the input is over or Ctrl-C is pressed.")

  @Argument(help: "The folder to make.")
  var folder: String

  @Option(help: "default, part of a device's name, a sound file, a pipe of raw PCM (16 kHz), or -.")
  var microphone: String?

  @Option(help: "The configuration file, of which the microphone's settings count.", completion: .file())
  var config: String?

  func run() async throws {
    let plan = try Exit.configuring {
      var layer = PlanLayer(origin: PlanLayer.commandLine)
      try layer.set(\.speaker, .text("none"))
      try layer.set(\.microphone, .ofFlag(microphone))
      return try Plan.resolve(file: config, commandLine: layer)
    }
    let inbox = EventInbox()
    let post: @Sendable (VoiceEvent) -> Void = { inbox.post($0) }
    let made = try Exit.starting { try SessionFolder(creating: folder) }
    let recorder = SoundRecorder(made, form: .lossless, post: post)
    let audio = try Exit.starting {
      do {
        let wiring = AudioWiring(now: { inbox.now }, post: post, heard: { recorder.heard($0) })
        return try SessionSound(plan).open(wiring)
      } catch {
        // Nothing was heard: the next try finds its place free.
        made.discard()
        throw error
      }
    }
    Signals.watch(post: post)
    audio.startMicrophone()
    printRow("Recording into \(folder); Ctrl-C ends it.")
    // Who reads it through a pipe waits for it, too.
    flushOutput()
    var frames = 0
    var failure: String?
    listening: while let next = await inbox.next() {
      switch next.event {
      case .microphoneFrame: frames += 1
      case .microphoneEnded, .terminationRequested: break listening
      case .microphoneFailed(let reason), .recordingFailed(let reason):
        failure = reason
        break listening
      case .soundDeviceSilent(let kind, let name):
        printRow("The \(kind.rawValue) “\(name)” gives no sound any more: it is being opened again.")
      case .soundDeviceReturned(let kind, let name): printRow("The \(kind.rawValue) “\(name)” is heard again.")
      default: continue
      }
    }
    audio.stop()
    recorder.finish()
    if frames == 0 {
      made.discard()
      printRow("Nothing was heard, and nothing was kept.")
    } else {
      let seconds = Counted(Self.seconds(frames: frames), "second")
      printRow("\(seconds.digits) \(seconds.verb("is", "are")) in \(folder)/microphone.wav.")
    }
    if let failure { throw Exit.failure(Exit.inputOutput, failure) }
  }

  /// How long so many frames are, to the nearest second.
  static func seconds(frames: Int) -> Int { (frames * PCM.frameMilliseconds + 500) / 1000 }
}
