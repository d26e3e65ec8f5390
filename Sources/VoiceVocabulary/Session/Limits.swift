/// The limits of a session, each with its reason. A queue, buffer, retry or wait without one is a defect; docs/limits.md says where
/// the limits of the other parts stand.
package enum Limits {
  /// Microphone frames waiting in the inbox before further ones are dropped: 80 s, far more than any stall that a person
  /// would sit through.
  package static let waitingFrames = 4_000
  /// What agents told and no step has taken yet, before whoever reads from them waits: events, and kilobytes of text.
  package static let waitingReports = 2_000
  /// The longest name of an agent, with its command: that of a path.
  package static let agentNameBytes = 4_096
  /// Commands and signals that may overtake before what waits has its turn: more than anybody presses at once, and few enough
  /// that a flood of them keeps no sound waiting.
  package static let urgentInARow = 16
  /// How much sound must be missing between two frames for the user to be told: less is no word.
  package static let toldGapMilliseconds = 300
  /// Frames kept while the link is down, so that nothing said is lost: one minute, 2 MB.
  package static let backlogFrames = 3_000
  /// Frames kept after they were sent, until the live model has dealt with them: half a minute, longer than nearly every
  /// utterance.
  package static let unansweredFrames = 1_500
  /// Frames kept of what is said without a pause, or said while nothing answers: ten minutes, 20 MB. A user who has talked for
  /// so long without an answer has noticed.
  package static let longestUtteranceFrames = 30_000
  /// A live model that has had nothing more to say for so long after an answer has answered all that was said before it.
  package static let settledMilliseconds = 10_000
  /// A connection that has lasted so long, or on which something was answered, was a good one: the next failure is the first.
  package static let provedConnectionMilliseconds = 10_000
  /// What was said and came to nothing, remembered until it is said again: the user has been told of each, and says the last ones again.
  package static let rememberedLosses = 100
  /// Instructions that are remembered to know them again, should they be heard twice.
  package static let rememberedProposals = 8
  /// Two instructions that share so many of their words may be one, worded otherwise the second time. "Run the tests" and "run all
  /// the tests" share 85 %, "run the tests" and "run the linter" 66.
  package static let alikePercent = 75
  /// Frames sent from before the moment the detector decided: it needs up to 0.3 s to decide.
  package static let prerollFrames = 25
  /// Beginnings of speech whose words have not come yet, the first one and the last ones: more than anybody makes within the delay of
  /// a transcript.
  package static let rememberedBeginnings = 8
  /// One stretch of sound in one event: 10 s. A live model sends at most about a second at once.
  package static let longestSpeechAudioSamples = 240_000
  /// Sound waiting to be played: five minutes, 14 MB. A person who listens longer without a word has left.
  package static let queuedPlaybackSamples = 7_200_000
  /// A speaker pipe that takes no sound for this long has nobody at its other end.
  package static let speakerStallMilliseconds = 10_000
  /// A microphone's sound that comes so much late was held up by a busy machine; more is a stall, and the positions of
  /// its frames show it.
  package static let microphoneStallMilliseconds = 1_000
  /// The writer of a FIFO that went away is followed by another within this time, as in `cat a >pipe; cat b >pipe`, or
  /// the input is over.
  package static let pipeWriterMilliseconds = 1_000
  /// A poll that runs several times within this time, and comes this late, was held up: the program was
  /// stopped, the machine slept or was too busy. What was not seen then is nobody's silence.
  package static let awakeStepMilliseconds = 1_000
  /// How often an armed timer looks whether the program was stopped meanwhile; several times within
  /// `awakeStepMilliseconds`, and rarely enough to cost nothing.
  package static let countdownLookMilliseconds = 250
  /// How often it is looked for other sessions in the same working folder.
  package static let neighbourMilliseconds = 3_000
  /// A microphone that has given nothing but zeros for so long is muted: a live one gives noise.
  package static let muteMilliseconds = 900
  /// Of a microphone that does so over and over, in every pause, the user is told so often.
  package static let toldMutes = 2
  /// From so many parts of ten thousand on, what touches the end of the range is heard as rough.
  package static let clippedShare = 5
  /// A sound device that has not asked for or given sound for this long was pulled out, or its server is gone.
  package static let deviceSilenceMilliseconds = 700
  /// One that has not for so long is asked whether it has ended by itself.
  package static let deviceDoubtMilliseconds = 100
  /// A poll of a device that comes this late was held up, as with `awakeStepMilliseconds`: less than the silence that is waited for, or
  /// one late look would be one, and more than twice the rarest wait between two looks.
  package static let deviceStepMilliseconds = 600
  /// A device that is away for longer is told, within a second of its last sound; the other one of a pair may follow meanwhile.
  package static let toldOutageMilliseconds = 250
  /// A device that is away for longer is told by an earcon, too, and its return by a line.
  package static let longOutageMilliseconds = 2_000
  /// A device that is away for longer is not waited for with what is to be said; a session without a user ends. A sound
  /// server has started anew by then, and a plug was put back.
  package static let deviceAwayMilliseconds = 20_000
  /// Outages of one device within `steadyDeviceMilliseconds` that the user is told of: at the next one he is told that it keeps dropping
  /// out, and then nothing more until it has worked for so long.
  package static let toldOutages = 2
  package static let steadyDeviceMilliseconds = 60_000
  /// Errors of a live model's server that the user is told of, on one connection: one that fails more often has been noticed.
  package static let toldErrors = 8
  /// The wait before the first attempt to open a silent device again; doubled each time up to `longestDeviceWaitMilliseconds`,
  /// and to a quarter of a second in the first 5 s.
  /// It is tried for as long as the session lasts, and heard within 2 s of its return.
  package static let firstDeviceWaitMilliseconds = 100
  package static let longestDeviceWaitMilliseconds = 1_000
  /// Another device, to which the sound server has moved the session, is reported once it has been used for so long: a server that
  /// starts tries several in a row.
  package static let replacedDeviceMilliseconds = 1_000
  /// A device that has worked for so long since it was opened again is tried as soon as the first time.
  package static let deviceProvedMilliseconds = 10_000
  /// A recording at fast pace runs this much faster than real time: recognisers and sockets keep up with it.
  package static let fastestPace = 50
  /// Setup must be answered within this time; a healthy server takes well under a second.
  package static let setupMilliseconds = 10_000
  /// A part that is only tried, for `parley check`: loading speech, or the first start of an agent, takes half a minute on
  /// a busy machine. A little longer than an agent has for its start, so that its own reason is told.
  package static let trialMilliseconds = 65_000
  /// A connection that was only tried is closed within a round trip, or dropped.
  package static let trialClosingMilliseconds = 2_000
  /// Connection attempts in a row before a session gives up that has nothing to lose: with the waits below, about a
  /// minute.
  package static let connectionAttempts = 6
  /// The same where no connection was ever set up and no server was slow: at the start, a person waits for the error.
  package static let firstConnectionAttempts = 2
  /// The wait before the first retry; doubled each time up to `longestRetryMilliseconds`.
  package static let firstRetryMilliseconds = 500
  package static let longestRetryMilliseconds = 30_000
  /// An expiring connection is left this long before its end, resumable or not.
  package static let rotationReserveMilliseconds = 5_000
  /// After the last sign of life at the end of the input: recogniser and network have answered well within it.
  package static let endOfInputMilliseconds = 2_500
  /// How long a pause ends an utterance, unless the user likes another. Of sentences with a pause in them (half of the
  /// pauses up to a second) 0.6 s cut 84 %, 0.8 s 65 %, 1 s 47 % and 1.5 s 28 %; of those with a pause of up to a second
  /// 74, 43, 14 and 2 %. Each adds itself to every answer: at 1 s most pauses for thought are over, and half a second
  /// more would buy little.
  package static let defaultSilenceMilliseconds = 1_000
  /// Words that come so long after the last sound, or the last that was sent again or answered, are nobody's: twice as long as an
  /// utterance is waited for.
  package static let soundBeforeWordsMilliseconds = 30_000
  /// An utterance whose transcript and instruction never come is given up after this; not while the local engine is known
  /// to be at work on it, while the user speaks, or while there is no connection.
  package static let unansweredUtteranceMilliseconds = 15_000
  /// A user who goes on so soon after a turn that looked unfinished goes on with the same sentence; and this long the rest of an
  /// unfinished sentence is waited for before it is held: two seconds behind a pause of two are longer than nearly all thought.
  package static let latePieceMilliseconds = 2_000
  /// Once speech behind an instruction is over, or understood, its text has come by then, if it has one.
  package static let textBehindMilliseconds = 300
  /// An instruction waits so long at most for what is said behind it: half a minute, longer than nearly every utterance and nearly every
  /// recogniser. Then it is held, since nobody knows how the sentence goes on.
  package static let longestLeavingMilliseconds = 30_000
  /// A turn that stays open for so long may be a television's: few people say an instruction without a pause for longer.
  package static let longTurnMilliseconds = 15_000
  /// A user who ends his instructions with a word, and has said nothing for so long, has forgotten it: longer than people pause
  /// within a sentence, short enough to still know what was said. It is held then, never sent.
  package static let forgottenEndMilliseconds = 10_000
  /// What an agent has left running in the background is waited for so long where nobody is there who would wait: the longest that
  /// Claude Code lets a command run by itself. The setting that nobody changed.
  package static let backgroundMilliseconds = 600_000
  /// A silent run gets a cue this often: longer silence feels like a dead line.
  package static let workingMilliseconds = 4_000
  /// A halt that was not confirmed by then is said to be unconfirmed.
  package static let haltConfirmationMilliseconds = 5_000
  /// A readout that gives no sound of a requested piece for this long has stalled; not while the local voice is known to
  /// be at work.
  package static let speechStallMilliseconds = 10_000
  /// The model's own voice is cut after so much in one turn, half a minute: it says a word or two, if anything.
  package static let modelVoiceSamples = 720_000
  /// A local speech engine that has work and uses no processor for so long hangs. The worst that was seen of a busy
  /// machine is seconds without a turn.
  package static let engineStallMilliseconds = 180_000
  /// How often that is looked at.
  package static let engineCheckMilliseconds = 5_000
  /// The waits before an engine that has ended is started again, the longest last: a lack of memory or of processes may be over by
  /// then. One that ends again behind the last of them, and has answered nothing meanwhile, is given up.
  package static let engineRestartMilliseconds = [200, 1_000, 5_000]
  /// Sound that waits to be understood: ten minutes, 19 MB. A user who has said so much without an answer has noticed.
  package static let waitingSpeechSamples = 9_600_000
  /// The user is warned so long before an agent gives up waiting: enough to hear what it asks, and to answer.
  package static let answerWarningMilliseconds = 15_000
  /// A transcript that is longer than this is not compared with the next one: what could be said twice by a server that
  /// repeats itself is a decision, or a short instruction.
  package static let comparedTranscriptBytes = 2_000
  /// A command line that is longer is not judged: nobody has it run by a word.
  package static let judgedCommandBytes = 2_000
  /// How many lines more than it adds an edit may take away and still be approved by voice.
  package static let harmlessRemovedLines = 20
  /// So much of what an agent asks is shown at once: two dozen rows. Of what is longer the beginning and the end are shown, and
  /// it is not approved before all of it was.
  package static let shownActBytes = 4_000
  package static let shownActBeginning = 2_400
  package static let shownActEnd = 1_200
  /// Tool calls of a run whose doings are remembered, for the user who asks what was done, and files that are counted.
  package static let rememberedCalls = 100
  package static let countedFiles = 1_000
  /// Lines of one change, and of what one command printed, that are shown then: two screens. And of all of them.
  package static let shownResultLines = 60
  package static let shownWorkLines = 400
  /// What is explained aloud: a minute of speech. All of it is on the screen.
  package static let spokenExplanationCharacters = 1_000
  /// Nobody reads what came up and decides about it in less; the time of a choice between two keys alone is 0.4 s. The
  /// setting that nobody changed.
  package static let shownMilliseconds = 700
  /// A user who wants to end a session that has something to lose asks twice within this time.
  package static let quitConfirmationMilliseconds = 2_000
  /// The silence that follows what was said when the user closes the microphone: a server finds the end of an utterance in
  /// nothing else. As much at least, and a second more than the pause that ends an utterance.
  package static let (closingSilenceMilliseconds, behindPauseMilliseconds) = (6_000, 1_000)
  /// Pieces of speech that can be gone back to.
  package static let spokenHistory = 20
  /// Sound that is shorter is no word: "no" takes longer.
  package static let shortestWordMilliseconds = 200
  /// A user who still speaks after this time interrupts; a cough is over by then.
  package static let interruptionMilliseconds = 500
  /// What was said so long ago is not heard as an echo any more, and may be repeated by the user as his own words.
  package static let echoMemoryMilliseconds = 10_000
  /// The detector needs up to 0.3 s, and a room rings: what begins so soon after the program's voice may be part of it.
  package static let echoTailMilliseconds = 700
  /// Behind Bluetooth, or a sound server that fell behind, an echo may come so late; what begins within that counts only if the
  /// detector at the microphone heard somebody.
  package static let lateEchoMilliseconds = 3_000
  /// An echo that was lost and found again has to stay where it is so long, before what is heard over the program's voice is believed.
  package static let echoSteadyMilliseconds = 30_000
  /// Until an echo that was found for the first time counts as known: on a machine that is overloaded, what a canceller left of the
  /// program's own voice was taken for the user's 0.15 s after that ("Which model" for "language model").
  package static let echoFoundMilliseconds = 1_000
  /// A transcript comes this late at most. Where nothing else tells when the user began to speak, it may have been over
  /// the program's voice if that was heard within this time.
  package static let transcriptDelayMilliseconds = 5_000
  /// Bytes of what went over a wire that wait to be written: seconds of the busiest connection, should the disk stall.
  package static let waitingWireBytes = 8 << 20
  /// Samples of both sound tracks that wait to be written, should the disk stall: ten minutes, 48 MB.
  package static let waitingSoundSamples = 24_000_000
  /// Connections to the local live model that have not shown the session's key, also those whose handshake is not done: more
  /// than any client opens at once, and few enough to leave the program its files and its memory. Of more, the oldest go.
  package static let strangers = 64
  /// Instructions of one run that a ledger is searched for: its own, and what went into it while it worked.
  package static let instructionsOfRun = 100
  /// The largest ledger, conversation or sound that is read whole: a day of it.
  package static let recordBytes = 1 << 28
  /// The largest file that is read whole and that a person writes, or that is no larger.
  package static let documentBytes = 1 << 24
  /// The longest log that is read: weeks of talk. What is larger was not made by talking, and would fill the memory.
  package static let logBytes = 1 << 29
  /// Steps that one line of a log stands for: a minute of frames.
  package static let logLineSteps = 3_000
  /// Reasons of denials that wait for the next instruction, and the characters of one: a reason is a sentence or two.
  package static let untoldReasons = 8
  package static let reasonCharacters = 2_000
  /// The end of what was heard of a reply, by which the agent is told where it was cut: a sentence or less.
  package static let lastHeardWords = 12
  /// As much of an instruction as names it in a sentence about it.
  package static let namingCharacters = 120
  /// Approved instructions waiting for a run; a person who queues more than this has lost the thread.
  package static let queuedInstructions = 32
  /// Characters in one instruction: about two hours of speech.
  package static let instructionCharacters = 100_000
  /// How long a sound server may take to tell its devices.
  package static let serverListMilliseconds = 1_000
  /// The longest piece sent to the readout at once; longer ones are cut at a word.
  package static let spokenPieceCharacters = 240
  /// The same in bytes, for text in which one sign has no end of marks: eight times what the longest scripts need.
  package static let spokenPieceBytes = 8_000
  /// What is said before a request that the agent waits with, beyond the sentence that is being said: ten seconds.
  package static let spokenBeforeRequestCharacters = 160
  /// What is said at once of one text, a title or an instruction that is read back: five minutes. All of it is shown.
  package static let spokenCharacters = 4_000
  /// How often it is looked whether a line that was typed before the end was read: for half a second.
  package static let typedLineLooks = 50
  /// Pieces that wait to be spoken: four hours. Nobody listens to the end of an answer that long.
  package static let waitingPieces = 1_000
  /// A line of an answer that is no prose (a row, a ruler, code): nobody follows a longer one by ear, and its middle is left
  /// out.
  package static let spokenLineBytes = 2_000
  /// An answer that goes on without the end of a sentence is shown in lines of this length: what a screen holds.
  package static let shownLineBytes = 1_900
  /// A transcript that grows beyond this is shown in parts: two minutes of speech.
  package static let shownTranscriptBytes = 2_000
  /// Words that are compared with what the program said in the last ten seconds: longer ones are the user's own.
  package static let echoBytes = 2_000
  /// Words, and pieces, of what was said in the last ten seconds that are remembered for that: three times what anybody
  /// says in them.
  package static let echoWords = 120
  package static let echoPieces = 60
  /// Sessions of the agent, and messages of one, that are listed: more is what `parley sessions` is for.
  package static let shownSessions = 20
  /// Items that wait for a decision: whoever proposes or asks more is no party to a conversation.
  package static let heldItems = 200
  /// Pieces of one instruction that is said with pauses in it: an hour.
  package static let draftPieces = 500
  /// A text goes whole into the digest of the state up to this length, and a list up to this number; of longer ones the ends
  /// do. What grows has been at an end.
  package static let digestedBytes = 2_048
  package static let digestedParts = 32
  /// Names of the project that a session knows: 30 kB of its log. The most telling come first.
  package static let projectWords = 2_000
  /// What the user taught: far more than anybody corrects in years.
  package static let corrections = 1_000
  /// Words of one instruction that are looked at for repair; nobody dictates names for that long.
  package static let repairedWords = 400
  /// The longest of them: no name, and no word that a recogniser writes, is longer.
  package static let repairedWordBytes = 100
  /// Approved instructions of a session that are remembered, to see which words were left as they were.
  package static let rememberedInstructions = 200
  /// Of a word that a recogniser is less sure of, the user and the agent are told. That marks 45 % of the wrong words and 5.6 % of
  /// the right ones: see `docs/words.md`.
  package static let surePercent = 50
  /// Words of which a recogniser is as sure, on average, were hardly misheard; nor was a single one.
  package static let certainPercent = 85
  /// A text of whose words a recogniser is less sure on average is held even in direct mode, and interrupts nothing: it may be
  /// what a loudspeaker left of the program's own voice.
  package static let guessPercent = 35
  /// A text whose first word, which in a command is the verb, was heard less surely is held even in direct mode.
  package static let verbPercent = 20
  /// Several words that are heard while a loudspeaker speaks are held below the second, since in a room that has just become another a
  /// canceller leaves more of the program's own voice; one word, or with headphones any, below the first. See `docs/words.md`.
  package static let (fairPercent, clearPercent) = (50, 70)
  /// What else was heard, of one text: as many as anybody looks through.
  package static let alternatives = 4
  /// An instruction that shares fewer of its words with the transcript than this is held even in direct mode.
  package static let agreementPercent = 50
}
