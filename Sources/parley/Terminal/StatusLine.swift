import VoiceHistory
import VoiceVocabulary

/// One line that tells what the session is doing: state, mode, level of the microphone, time, queue, cost.
struct StatusLine: Equatable {
  var session = SessionStatus()
  /// The loudest sample since the last tick.
  var peak = 0
  /// What is shown of it, 0 to 8.
  private var level = 0
  private var ticks = 0
  private var runTicks = 0

  private static let ticksASecond = 5
  /// Of the name of a mode or a model.
  private static let settingCharacters = 24
  /// More of what is being said fits into no row.
  private static let longestCharacters = 1_000

  /// A fifth of a second is over.
  mutating func tick() {
    ticks += 1
    runTicks = session.isWorking ? runTicks + 1 : 0
    // 6 dB a step, from -48 dBFS on; it falls more slowly than it rises, as meters do.
    var now = 0
    var loudness = peak
    while loudness > 128, now < 8 {
      loudness /= 2
      now += 1
    }
    level = max(now, level - 1)
    peak = 0
  }

  /// The line, uncut.
  var text: String {
    var parts = [session.activity.rawValue, session.mode.rawValue, meter, Self.clock(ticks)]
    parts += [session.agentMode, session.agentModel].compactMap { $0?.sanitized(limit: Self.settingCharacters) }
    if session.duplex == .half || session.duplex == .unknown { parts.append("half duplex") }
    if session.duplex == .drowned { parts.append("loudspeaker too loud") }
    parts += session.loading.map { "loading the \($0.rawValue)" }
    if session.isWorking { parts.append("run \(Self.clock(runTicks))") }
    if session.mayWorkUnseen { parts.append("earlier run may still be working") }
    if session.held > 0 { parts.append("held \(session.held)") }
    if session.queued > 0 { parts.append("queued \(session.queued)") }
    if let cost = session.usage?.agentCostInDollars { parts.append("$\(Self.cents(cost))") }
    if let tokens = session.usage?.agent?.output { parts.append("\(tokens) tokens") }
    return parts.joined(separator: " | ")
  }

  /// What is being said or written right now, before it is a line of its own; of what is being said, the last words.
  func streaming(agent: String, columns: Int = .max) -> String? {
    let said = [session.draft, session.transcript].filter { !$0.isEmpty }.joined(separator: " ")
    let words = String(said.suffix(Self.longestCharacters)).sanitized()
    if !words.isEmpty {
      var (line, rest) = (NoticeText("you …", words).line, words[...])
      while line.columns > columns, let blank = rest.dropFirst().firstIndex(of: " ") {
        rest = rest[rest.index(after: blank)...]
        line = NoticeText("you …", "… " + rest).line
      }
      return line
    }
    let answer = agent.sanitized().trimmingWhitespace()
    return answer.isEmpty ? nil : NoticeText("agent …", answer).line
  }

  /// A closed microphone has no level, whatever the device hears.
  private var meter: String {
    guard session.isListening else { return "mic off " }
    return String(repeating: "#", count: level) + String(repeating: "-", count: 8 - level)
  }

  private static func clock(_ ticks: Int) -> String {
    let seconds = ticks / ticksASecond
    return "\(seconds / 60):" + (seconds % 60 < 10 ? "0" : "") + "\(seconds % 60)"
  }

  private static func cents(_ dollars: Double) -> String {
    let cents = Int((Double(amountTold: dollars) * 100).rounded())
    return "\(cents / 100)." + (cents % 100 < 10 ? "0" : "") + "\(cents % 100)"
  }
}
