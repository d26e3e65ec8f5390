import ArgumentParser
import VoiceConverse
import VoiceHistory
import VoiceLanguage
import VoiceRecording
import VoiceSystem

/// `parley log export`: a session in the form of another tool.
struct LogExportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write a session as Markdown, captions, sound, OpenTelemetry traces, or a session folder.",
    discussion: """
      With --redact every word is replaced by one of the same length, made from a hash that cannot be turned back; a \
      redacted session folder holds no sound, and replays with the same decisions.

      The sound of a conversation is one Ogg Opus file, the user on the left and what was played on the right, with its \
      captions beside it.
      """)

  /// What is written.
  enum Form: String, ExpressibleByArgument, CaseIterable { case markdown, webvtt, conversation, otlp, session }

  @Argument(help: "The session: \(SessionLibrary.help); without one the newest.")
  var session: String?

  @Option(
    name: .customLong("as"),
    help: "markdown, webvtt, conversation (stereo sound), otlp, or session (a folder; only with --redact).")
  var form: Form

  @Flag(help: "Replace what was said and written by words of the same length.")
  var redact = false

  @Flag(help: "With otlp: send along what was said and written, not only times and kinds.")
  var words = false

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The file to write, or the folder of a session; if not given, standard output (no conversation and no session).",
      valueName: "path"))
  var output: String?

  @Option(help: ArgumentHelp("With otlp: post to this collector, such as http://127.0.0.1:4318.", valueName: "address"))
  var to: String?

  @Option(help: ArgumentHelp("With --to: the environment variable that holds a bearer token.", valueName: "variable"))
  var tokenVariable: String?

  @OptionGroup var options: SessionOptions

  func validate() throws {
    if form == .session, !redact || output == nil {
      throw ValidationError("--as session needs --redact and --output FOLDER; to keep the words, copy the folder.")
    }
    if form == .conversation, redact { throw ValidationError("What was said cannot be redacted in --as conversation.") }
    if form == .conversation, output?.hasSuffix(".opus") != true {
      throw ValidationError("--as conversation needs --output FILE.opus.")
    }
    if to != nil, form != .otlp { throw ValidationError("--to takes --as otlp.") }
    if words, form != .otlp { throw ValidationError("--words takes --as otlp; every other form has the words.") }
    if tokenVariable != nil, to == nil { throw ValidationError("--token-variable needs --to.") }
    if to != nil, output != nil { throw ValidationError("Either --to or --output.") }
    if let to, HTTPAddress(to) == nil {
      let shown = withoutSecretsInAddresses(to)
      throw ValidationError("“\(shown)” is not an address such as http://127.0.0.1:4318 (without a path).")
    }
  }

  func run() async throws {
    var recorded = try options.read(session)
    if redact {
      var redaction = Redaction()
      recorded = try Exit.reading { try redaction.session(recorded) }
    }
    try await export(recorded)
    try Exit.requireWhole(recorded.damage)
  }

  private func export(_ recorded: RecordedSession) async throws {
    let bytes: [UInt8]
    switch form {
    case .markdown: bytes = Array(MarkdownExport.page(recorded).utf8)
    case .webvtt: bytes = Array(WebVTTExport.captions(recorded).utf8)
    case .otlp: bytes = try Exit.reading { try OpenTelemetryExport(recorded, includesWords: words).body() }
    case .conversation:
      guard let output else { return }
      return try writeConversation(recorded, to: output)
    case .session:
      guard let output else { return }
      try Exit.starting { try Redaction.write(recorded, to: output) }
      return printRow("\(output) holds the session without its words and without its sound.")
    }
    if let to {
      try await Collector(to, tokenVariable: tokenVariable).post(bytes)
      printRow("\(Counted(recorded.history.turns.count, "turn").digits) sent to \(to).")
    } else {
      try writePrivately(bytes, to: output)
    }
  }
}

/// Write the sound of a session and its captions, neither over what is there.
private func writeConversation(_ session: RecordedSession, to path: String) throws {
  let captions = ConversationExport.captions(of: path)
  for file in [path, captions] where PlainFile.isThere(file) {
    throw Exit.failure(Exit.inputOutput, "\(file) already exists. Name another file.")
  }
  try Exit.reading { try ConversationExport.write(session, to: path) }
  try writePrivately(Array(WebVTTExport.captions(session).utf8), to: captions)
  printRow("\(path) holds the conversation, and \(captions) its captions.")
}

/// Write a private file, or to standard output.
func writePrivately(_ bytes: [UInt8], to path: String?) throws {
  guard let path else {
    print(String(decoding: bytes, as: UTF8.self), terminator: bytes.last == UInt8(ascii: "\n") ? "" : "\n")
    return
  }
  try Exit.starting {
    if PlainFile.isThere(path) {
      throw FileFailure("\(path) already exists. Name another file.")
    }
    try AppendFile(path).append(bytes)
  }
}
