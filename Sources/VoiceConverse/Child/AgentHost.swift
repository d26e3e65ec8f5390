import VoiceSystem

#if os(Linux)
  import CProcess
#endif

/// Stands between this program and an agent, as a process of its own, so that nothing of the agent outlives it: whatever the agent
/// started, in whatever group or session, is ended with it, and all of it when this program is gone, however that ended.
///
/// On Linux whoever loses his parent becomes the host's child, and so is found. Elsewhere only the agent's own process group is.
/// The host exits as the agent did; like a shell, with 128 and the number of the signal that killed it. It reads and writes nothing of
/// the pipes, which are the agent's.
package enum AgentHost {
  /// The verb of this program that is it.
  package static let verb = "agent-host"

  /// How the agent is asked to end: most end what they started on being told to terminate, some only on an interrupt.
  package enum EndSignal: String, Sendable { case interrupt, terminate }

  /// The words behind the program that start an agent by its absolute path.
  static func arguments(_ endSignal: EndSignal, executable: String, _ arguments: [String]) -> [String] {
    [verb, String(getpid()), endSignal.rawValue, executable] + arguments
  }

  /// Be the host: `PARENT SIGNAL EXECUTABLE ARGUMENT…`. Returns never.
  package static func run(_ words: [String]) -> Never {
    guard words.count >= 3, let parent = pid_t(words[0]), let endSignal = EndSignal(rawValue: words[1]) else {
      exit(64)
    }
    var host = Host(parent: parent, endSignal: endSignal == .interrupt ? SIGINT : SIGTERM)
    host.start(Array(words.dropFirst(2)))
    host.watch()
  }

  /// The code with which the host ends if the agent could not be started; the reason stands on standard error.
  static let couldNotStart: Int32 = 126
  /// The code with which the host ends if something of the agent could not be ended.
  static let leftRunning: Int32 = 125
  /// What the host waits for from its beginning on, before it starts the agent: it dies of these only before that.
  static let awaited = [SIGTERM, SIGINT, SIGHUP]
  /// Added to the number of the signal that killed the agent.
  static let signalled: Int32 = 128
}

/// The host's own state. One thread; signals are waited for, and none is handled.
private struct Host {
  let parent: pid_t
  let endSignal: Int32
  private var signals = sigset_t()
  private var agent: pid_t = 0
  /// How the agent ended; nil while it lives.
  private var status: Int32?
  private var ending = Ending.none

  /// How far the agent's end is.
  private enum Ending: Equatable {
    case none
    /// It was asked to end, and is killed at this time.
    case asked(killAt: SuspendingClock.Instant)
    case killed
  }

  /// Everything that is waited for. `deathOfParent` comes from the system.
  private static let deathOfParent = SIGUSR2

  init(parent: pid_t, endSignal: Int32) {
    (self.parent, self.endSignal) = (parent, endSignal)
    sigemptyset(&signals)
    for number in AgentHost.awaited + [SIGCONT, SIGCHLD, Self.deathOfParent] { sigaddset(&signals, number) }
    sigprocmask(SIG_BLOCK, &signals, nil)
    #if os(Linux)
      _ = parley_adopt_orphans()
      _ = parley_signal_on_death_of_parent(Self.deathOfParent)
    #endif
    // It may have gone before that was set.
    if getppid() != parent { exit(0) }
  }

  /// Start the agent, in a group of its own and with the default signals, and leave the pipes to it.
  mutating func start(_ command: [String]) {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    var none = sigset_t()
    var all = sigset_t()
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
    var words = command.map { strdup($0) } + [nil]
    let code = posix_spawn(&agent, command[0], nil, &attributes, &words, environ)
    guard code == 0 else {
      let reason = "\(command[0]) could not be started: \(String(cString: strerror(code)))\n"
      _ = reason.withCString { write(STDERR_FILENO, $0, strlen($0)) }
      exit(AgentHost.couldNotStart)
    }
    let nowhere = open("/dev/null", O_RDWR)
    for descriptor in STDIN_FILENO...STDERR_FILENO { dup2(nowhere, descriptor) }
  }

  mutating func watch() -> Never {
    while true {
      reap()
      if let status {
        guard sweep() else { exit(AgentHost.leftRunning) }
        exit(status & 0x7F == 0 ? (status >> 8) & 0xFF : AgentHost.signalled + status & 0x7F)
      }
      if case .asked(let killAt) = ending, .now >= killAt {
        kill(-agent, SIGKILL)
        ending = .killed
      }
      switch nextSignal() {
      case SIGTERM, SIGINT, SIGHUP: ask()
      case SIGCONT: kill(-agent, SIGCONT)
      // The thread that started the host may end long before its program does.
      case Self.deathOfParent: if getppid() != parent { ask() }
      default: break
      }
    }
  }

  private mutating func ask() {
    guard ending == .none else { return }
    ending = .asked(killAt: .now + .milliseconds(ConverseLimits.terminationMilliseconds))
    kill(-agent, endSignal)
    // A stopped one gets to see it.
    kill(-agent, SIGCONT)
  }

  /// Bury whoever has ended.
  /// - Returns: Whether nothing is left: on Linux every descendant of the agent is a child of ours, or has an ancestor that is.
  @discardableResult private mutating func reap() -> Bool {
    var how: Int32 = 0
    while true {
      let process = waitpid(-1, &how, WNOHANG)
      guard process > 0 else { return process == -1 && errno == ECHILD }
      if process == agent { status = how }
    }
  }

  /// The next signal; 0 if none comes within a while.
  private mutating func nextSignal() -> Int32 {
    #if os(Linux)
      // Nothing is to be done by itself but to kill the agent in time.
      var wait = timespec(tv_sec: ending == .none ? 3600 : 0, tv_nsec: ending == .none ? 0 : 20_000_000)
      return max(0, sigtimedwait(&signals, nil, &wait))
    #else
      if getppid() != parent { return SIGTERM }
      var pending = sigset_t()
      sigpending(&pending)
      guard (1..<32).contains(where: { sigismember(&pending, $0) == 1 && sigismember(&signals, $0) == 1 }) else {
        usleep(100_000)
        return 0
      }
      var number: Int32 = 0
      return sigwait(&signals, &number) == 0 ? number : 0
    #endif
  }

  /// End whatever the agent has left behind: asked first, those who started others before them, then killed.
  /// - Returns: Whether nothing is left.
  private mutating func sweep() -> Bool {
    let begun = SuspendingClock.now
    var asked: Set<pid_t> = []
    #if !os(Linux)
      kill(-agent, SIGKILL)
    #endif
    // A scan of all processes can miss one that forks meanwhile; having no children cannot be missed.
    while !reap() {
      guard .now < begun + .milliseconds(ConverseLimits.sweepMilliseconds) else { return false }
      let isPatient = .now < begun + .milliseconds(ConverseLimits.sweepGraceMilliseconds)
      for process in Self.descendants(of: getpid()) {
        guard isPatient else {
          kill(process, SIGKILL)
          continue
        }
        guard asked.insert(process).inserted else { continue }
        kill(process, SIGTERM)
        kill(process, SIGCONT)
      }
      usleep(10_000)
    }
    return true
  }

  /// Everybody who was started by this process, or by one that it started, parents first; empty where the system does not tell.
  private static func descendants(of root: pid_t) -> [pid_t] {
    #if os(Linux)
      var children: [pid_t: [pid_t]] = [:]
      guard let folder = opendir("/proc") else { return [] }
      defer { closedir(folder) }
      while let entry = readdir(folder) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        guard let process = pid_t(name), let parent = living(process) else { continue }
        children[parent, default: []].append(process)
      }
      var found: [pid_t] = []
      var next = children[root] ?? []
      while let process = next.first {
        next.removeFirst()
        found.append(process)
        next += children[process] ?? []
      }
      return found
    #else
      return []
    #endif
  }

  /// The parent of a process that has not ended; nil if there is none.
  private static func living(_ process: pid_t) -> pid_t? {
    let descriptor = open("/proc/\(process)/stat", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 512)
    let count = read(descriptor, &bytes, bytes.count)
    // PID (name) STATE PARENT …, where the name may hold anything.
    guard count > 0, let close = bytes[..<count].lastIndex(of: UInt8(ascii: ")")) else { return nil }
    let fields = String(decoding: bytes[(close + 1)..<count], as: UTF8.self).split(separator: " ")
    guard fields.count > 1, fields[0] != "Z", fields[0] != "X" else { return nil }
    return pid_t(fields[1])
  }
}
