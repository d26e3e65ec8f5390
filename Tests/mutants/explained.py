"""Changes that no test can or need tell from the program: as they are printed, without the line; each with its reason."""

EXPLAINED = {
    "Sources/VoiceLanguage/Wording/SentenceChunker.swift: literal: line = String(line.prefix(Limits.spokenLineBytes / 4)) + "
    "end + line.suffix(Self.decisiveC… → line = String(line.prefix(Limits.spokenLineBytes / 5)) + end + line.suffix("
    "Self.decisiveC…": "how much is kept of a line that is not read out is a choice",
    "Sources/VoiceRecording/FolderClaim.swift: boundary: descriptor >= 0 → descriptor > 0": (
        "0 is standard input, which is open"
    ),
    "Sources/VoiceRecording/SessionFolder.swift: boundary: descriptor >= 0 → descriptor > 0": (
        "0 is standard input, which is open"
    ),
    "Sources/VoiceConverse/HTTP/AnswerFile.swift: boundary: descriptor >= 0 → descriptor > 0": (
        "0 is standard input, which is open"
    ),
    "Sources/VoiceConverse/HTTP/HTTPCredential.swift: boundary: descriptor >= 0 → descriptor > 0": (
        "0 is standard input, which is open"
    ),
    "Sources/VoiceConverse/Claude/ClaudeSessions.swift: boundary: changed > $1 → changed >= $1": (
        "which of two sessions that changed at the same moment comes first is nobody's concern"
    ),
    "Sources/VoiceReplay/World/SimulatedMicrophone.swift: literal: let silence = [Int16](repeating: 0, count: "
    "PCM.frameSamples) → let silence = [Int16](repeating: 1, count: PCM.frameSamples)": (
        "it only ends what was heard, and one is as silent as nothing"
    ),
    "Sources/VoiceRecording/SoundRecorder.swift: removed: files = .over → ": (
        "it says how it is: nothing is written once the thread has ended"
    ),
    "Sources/VoiceConverse/Claude/ClaudeDialect+Control.swift: literal: usage.total.inputTokens = "
    "(usage.total.inputTokens ?? 0).addingSaturated(told[\"input_toke… → usage.total.inputTokens = "
    "(usage.total.inputTokens ?? 1).addingSaturated(told[\"input_toke…": "the sum is a number from the beginning",
    "Sources/VoiceRecording/SoundLine.swift: literal: var heads = 0 → var heads = 1": (
        "it is set where the event begins, without which there is no line"
    ),
    "Sources/VoiceRecording/FolderClaim.swift: literal: for _ in 0..<Self.patienceMilliseconds / Self.stepMilliseconds { → "
    "for _ in 1..<Self.patienceMilliseconds / Self.stepMilliseconds {": "one look fewer of a hundred",
    "Sources/VoiceRecording/SoundRecorder.swift: removed: wave = nil → ": (
        "a real disk that fills up is script/hostile's; what is written to a closed file is nothing"
    ),
    "Sources/VoiceRecording/Scrubber.swift: literal: var begins = [Bool](repeating: false, count: 256) → "
    "var begins = [Bool](repeating: true, count: 256)": "where nothing begins, nothing is found: the search only takes longer",
    "Sources/VoiceConverse/HTTP/ClipboardImage.swift: removed: posix_spawnattr_destroy(&attributes) → ": (
        "the attributes hold nothing that could be released: glibc's call does nothing"
    ),
    "Sources/VoiceRecording/Scrubber.swift: boundary: count > $1 → count >= $1": (
        "of secrets of the same length none begins with another"
    ),
    "Sources/VoiceReplay/World/ScriptedUser.swift: literal: actionCount += 1 → actionCount += 2": (
        "it is only asked whether the count is another than before"
    ),
    "Sources/VoiceRecording/WriteBehind.swift: literal: if mustPlan { queue.asyncAfter(deadline: .now() + .seconds(1)) "
    "{ [self] in write() } } → if mustPlan { queue.asyncAfter(deadline: .now() + .seconds(2)) { [self] in write() } }": (
        "how long is a choice: nothing depends on it"
    ),
    "Sources/VoiceSound/LevelEndpointer.swift: arithmetic: pauseFrames + 1 → pauseFrames - 1": (
        "silence can only follow a pause, which has that many quiet frames"
    ),
    'Sources/VoiceLanguage/Wording/SpokenWording.swift: literal: if let unit = SpokenUnits.name(of: core, isAttached: false), core.contains("/") { return … → '
    'if let unit = SpokenUnits.name(of: core, isAttached: true), core.contains("/") { return […': (
        "no unit that stands directly behind a number has a slash in it"
    ),
    "Sources/VoiceRecording/WriteBehind.swift: literal: defer { state.isAwake = true } → defer { state.isAwake = false }": (
        "what waits is written as soon, by more calls than are needed"
    ),
    "Sources/VoiceRecording/AppendFile.swift: boundary: written > 0 → written >= 0": (
        "of nothing there is nothing to take back"
    ),
    'Sources/VoiceLanguage/Lexicon/SoundKey.swift: literal: if follows("cia") || follows("cio") { return add("X", 2) } → '
    'if follows("cia") || follows("cio") { return add("X", 3) }': "inside a word a vowel adds nothing",
    "Sources/VoiceReplay/Faults/Fault.swift: literal: let milliseconds = pick([1, 30, 400, 3_000, 12_000]) → "
    "let milliseconds = pick([1, 31, 400, 3_000, 12_000])": "which delays are drawn is a choice",
    "Sources/VoiceConverse/Codex/CodexDialect+Terminals.swift: boundary: pages < Self → pages <= Self": (
        "at which page a list counts as one without an end is a choice"
    ),
    "Sources/VoiceConverse/HTTP/HTTPTransfer.swift: boundary: count < ConverseLimits → count <= ConverseLimits": (
        "one more where there are too many, of headers or of the bytes of cookies"
    ),
    "Sources/VoiceConverse/Dialects/UIMessagesDialect.swift: boundary: count < ConverseLimits → count <= ConverseLimits": (
        "one more tool of ten thousand"
    ),
}
