/// Every limit of the way out to coding agents, with its reason.
package enum ConverseLimits {
  /// One line of an agent. Replays and file contents make lines of many MiB; beyond this the agent has lost its mind.
  package static let lineBytes = 64 << 20
  /// What waits to be written to an agent. A prompt is at most 0.4 MB, so this much means that it does not read.
  package static let outboxBytes = 16 << 20
  /// The end of an agent's standard error that is told when it dies.
  package static let errorTailCharacters = 200
  /// From the start of an agent until its session stands: 0.1 to 6 s were measured, and a first start may download. The
  /// user is told then that it takes long, and how to see why.
  package static let slowStartMilliseconds = 60_000
  /// An agent that is not ready by then never will be; a healthy one on the busiest machine that was tried took a minute.
  package static let startMilliseconds = 300_000
  /// A hook that takes longer before an instruction reaches the model is told; most are over in a blink.
  static let hookMilliseconds = 2_000
  /// After this, an agent that did not stop when told to is ended; the user said stop.
  package static let cancelMilliseconds = 20_000
  /// Work that an agent began by itself, and of whose end its protocol does not tell, is taken to be over when nothing more came for
  /// so long; what comes after that is shown as another run.
  static let quietMilliseconds = 10_000
  /// The same where it only said something, as agents do that greet.
  static let quietWordsMilliseconds = 2_000
  /// After its input was closed, an agent may flush its files this long; then it is told to end.
  package static let flushMilliseconds = 2_000
  /// An agent that lasts for one turn has said all it has to say; a halt must not wait for it.
  static let shortFlushMilliseconds = 500
  /// After being told to end; then it is killed.
  package static let terminationMilliseconds = 1_000
  /// What an agent has left behind may end by itself this long before it is killed.
  static let sweepGraceMilliseconds = 300
  /// A process that cannot even be killed for so long waits for a device, and is left to it.
  static let sweepMilliseconds = 5_000
  /// From when the host of an agent is told to end it until no process is left, at the most.
  static let hostMilliseconds = terminationMilliseconds + sweepMilliseconds + 1_000
  /// A file that an agent reads through this program.
  package static let fileBytes = 16 << 20
  /// Sessions in a list; nobody reads more.
  package static let listedSessions = 500
  /// Pages of a list, be they empty.
  static let listedPages = 1_000
  /// Entries of a session that comes in pages.
  static let listedEntries = 10_000
  /// A title is spoken; nobody listens to more.
  package static let titleCharacters = 120
  /// The detail of a permission request is shown whole before it can be allowed: so much a person may still look through, as a
  /// file of 5,000 lines. What is longer cannot be approved.
  package static let detailCharacters = 200_000
  /// What an MCP server asks is shown whole, and heard: a longer one can only be declined.
  package static let formCharacters = 2_000
  /// A reason is spoken: what an agent or a server says of its failure is cut here.
  package static let reasonCharacters = 200
  /// Characters of what a tool call did, and of what came of it, and the files of it: what somebody looks at who asks.
  package static let resultCharacters = 4_000
  package static let resultPaths = 50
  /// Connecting to a server, with its name and TLS.
  package static let connectMilliseconds = 10_000
  /// A stream without a single byte. Tools may run for minutes without a word.
  package static let silenceMilliseconds = 600_000
  /// The question whether a server is there at all. One that is not says so at once; one on a busy machine may take its
  /// time.
  package static let probeMilliseconds = 15_000
  /// One event of a stream.
  package static let eventBytes = 64 << 20
  /// What is kept of an HTTP error's body, to quote its message.
  package static let errorBodyBytes = 16_384
  /// Lines of an answer's head that are kept.
  static let headers = 100
  /// An answer that is one JSON value, such as a long conversation.
  static let answerBytes = 16 << 20
  /// The longest token, with room to spare for cookies.
  static let credentialBytes = 16_384
  /// A server that does not confirm a stop in this time is not waited for; the user said stop.
  static let stopMilliseconds = 4_000
  /// Sorts of requests of an agent that are not known here and are told; more says nothing new.
  static let unknownRequests = 10
  /// Tool calls of one run; more are not told.
  static let toolsInRun = 10_000
  /// Streams over which one run is told at once: that of the instruction, and one for each answer of the user's.
  static let streamsInRun = 8
  /// What one stream of a run has told and another may tell again.
  static let eventsTwice = 4_096
  /// Messages of a server to all its clients that are kept until it is known which are about our run.
  static let earlyMessages = 1_000
  /// What Codex says before it names the turn that it was asked for; it names it within some milliseconds.
  static let earlyBytes = 64 << 20
  /// Hooks of one turn that are looked after.
  static let hooksInTurn = 100
  /// Files of the answers in one conversation that are written.
  static let answerFiles = 1_000
  /// Messages of a conversation that are listed at once; nobody reads more.
  static let listedMessages = 100
  /// One attachment. Servers take about 20 MB in one request, and Base64 adds a third.
  package static let attachmentBytes = 14 << 20
  /// What reads the clipboard answers within some hundredths of a second, or waits for a window that has gone.
  package static let clipboardMilliseconds = 5_000
}
