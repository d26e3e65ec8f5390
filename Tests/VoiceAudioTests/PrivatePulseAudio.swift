import Foundation
import Testing

/// A sound server without a sound card that lives as long as this object: PulseAudio, or what `PARLEY_SOUND_SERVER` names
/// (`pipewire`), which answers in the same protocol.
final class PrivatePulseAudio {
  private let server: Child
  private let socket: String

  static let kind = ProcessInfo.processInfo.environment["PARLEY_SOUND_SERVER"] ?? "pulseaudio"

  static var isInstalled: Bool {
    let programs = [kind, "pactl", "parec", "paplay"].allSatisfy {
      FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)")
    }
    let plugin = FileManager.default.subpaths(atPath: "/usr/lib")?.contains {
      $0.hasSuffix("alsa-lib/libasound_module_pcm_pulse.so")
    }
    return programs && plugin == true
  }

  init(folder: String, from file: String = #filePath) throws {
    socket = "unix:" + folder + "/socket"
    let script = URL(fileURLWithPath: file).deletingLastPathComponent()
      .appendingPathComponent("../servers/private-\(Self.kind)").standardized.path
    server = try Child([script, folder])
    try #require(server.readLine() == "ready")
    setenv("PULSE_SERVER", socket, 1)
  }

  deinit { stop() }

  func stop() { server.stop() }

  /// Stand still, as on a machine that is busy with something more urgent, or go on.
  func standStill(_ isStill: Bool) throws {
    try Child(["/usr/bin/pkill", isStill ? "-STOP" : "-CONT", "-P", "\(server.process)"]).waitForEnd()
  }

  /// Record what programs play: mono, 16-bit, 24 kHz.
  func record(to path: String) throws -> Child {
    try Child(
      [
        "/usr/bin/parec", "--server=\(socket)", "--device=speaker.monitor", "--rate=24000", "--channels=1",
        "--format=s16le", "--latency-msec=10",
      ], output: path)
  }

  func loopSpeakerIntoMicrophone() throws {
    try Child(
      [
        "/usr/bin/pactl", "--server=\(socket)", "load-module", "module-loopback", "source=speaker.monitor",
        "sink=micfeed", "latency_msec=20",
      ]
    ).waitForEnd()
  }

  /// Carry what is played through a room into the microphone, as long as the result lives; `volume` is in percent of the
  /// amplitude.
  func carry(through room: String, volume: Int, from file: String = #filePath) throws -> Child {
    let script = URL(fileURLWithPath: file).deletingLastPathComponent()
      .appendingPathComponent("../../script/echo-room").standardized.path
    // Nothing keeps air waiting, where that can be had.
    let command = [script, "--carry", socket, "--rooms", room, "--volumes", "\(volume)"]
    let urgently = "chrt --rr 1 true 2>/dev/null && exec chrt --rr 1 \"$@\"; exec \"$@\""
    let room = try Child(["/bin/sh", "-c", urgently, "sh"] + command)
    try #require(room.readLine() == "ready")
    return room
  }

  /// Have the server do something; the result is the first line of what it says.
  @discardableResult func control(_ arguments: String...) throws -> String { try control(arguments) }

  private func control(_ arguments: [String]) throws -> String {
    let child = try Child(["/usr/bin/pactl", "--server=\(socket)"] + arguments)
    defer { child.waitForEnd() }
    return child.readLine()
  }

  func playIntoMicrophone(_ file: String) throws -> Child { try play(file, into: "micfeed") }

  /// Play a file into a sink.
  func play(_ file: String, into sink: String) throws -> Child {
    try Child(["/usr/bin/paplay", "--server=\(socket)", "--device=\(sink)", "--latency-msec=20", file])
  }

  /// Plug in a device: a speaker, whose monitor is a microphone. Returns what `unplug` takes.
  func plugIn(_ name: String, rate: Int = 48_000, channels: Int = 1) throws -> String {
    try control(
      "load-module", "module-null-sink", "sink_name=\(name)", "rate=\(rate)", "channels=\(channels)", "norewinds=1")
  }

  func unplug(_ device: String) throws { try control("unload-module", device) }
}

/// A child process with clean signals, which Foundation's are not: those cannot be ended with SIGTERM.
final class Child {
  private(set) var process: pid_t = 0
  private let name: String
  private let input: Int32
  private let output: Int32

  /// What does not end by itself, a drain that a sound server never answers as much as a server that never starts, fails the test
  /// instead of holding it for ever.
  static let patience: Double = 60

  /// Start a program; its output goes to a file, or to `readLine`.
  init(_ arguments: [String], output file: String? = nil) throws {
    var inputEnds: [Int32] = [0, 0]
    var outputEnds: [Int32] = [0, 0]
    try #require(pipe(&inputEnds) == 0 && pipe(&outputEnds) == 0)
    for end in inputEnds + outputEnds { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (input, output) = (inputEnds[1], outputEnds[0])
    name = arguments.joined(separator: " ")
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, inputEnds[0], 0)
    if let file {
      posix_spawn_file_actions_addopen(&actions, 1, file, O_WRONLY | O_CREAT, 0o600)
    } else {
      posix_spawn_file_actions_adddup2(&actions, outputEnds[1], 1)
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    var words = arguments.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    try #require(posix_spawn(&process, arguments[0], &actions, &attributes, &words, environ) == 0)
    close(inputEnds[0])
    close(outputEnds[1])
  }

  deinit {
    stop()
    close(output)
  }

  /// One line of its output, without the line feed.
  func readLine(within seconds: Double = patience) -> String {
    let deadline = Date(timeIntervalSinceNow: seconds)
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while isReadable(until: deadline), read(output, &byte, 1) == 1, byte != 10 { line.append(byte) }
    return String(decoding: line, as: UTF8.self)
  }

  private func isReadable(until deadline: Date) -> Bool {
    var watched = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
    guard poll(&watched, 1, Int32(max(0, deadline.timeIntervalSinceNow * 1000))) != 1 else { return true }
    Issue.record("no line came in time of \(name)")
    return false
  }

  /// Wait for its own end.
  func waitForEnd() {
    guard process > 0 else { return }
    close(input)
    let deadline = Date(timeIntervalSinceNow: Self.patience)
    while waitpid(process, nil, WNOHANG) == 0 {
      if deadline.timeIntervalSinceNow < 0 {
        Issue.record("still running after \(Self.patience) s: \(name)")
        kill(process, SIGKILL)
        waitpid(process, nil, 0)
        break
      }
      usleep(5_000)
    }
    process = 0
  }

  /// Close its input and end it.
  func stop() {
    guard process > 0 else { return }
    kill(process, SIGTERM)
    waitForEnd()
  }
}
