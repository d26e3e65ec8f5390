"""Changes that no test can or need tell from the program: as they are printed, without the line; each with its reason."""

EXPLAINED = {
    "Sources/VoiceRecording/FolderClaim.swift: boundary: descriptor >= 0 → descriptor > 0": (
        "0 is standard input, which is open"
    ),
    "Sources/VoiceRecording/SessionFolder.swift: boundary: descriptor >= 0 → descriptor > 0": (
        "0 is standard input, which is open"
    ),
    "Sources/VoiceRecording/SoundLine.swift: literal: var heads = 0 → var heads = 1": (
        "it is set where the event begins, without which there is no line"
    ),
    'Sources/VoiceRecording/SoundLine.swift: literal: if number >= 0 { return bytes.append(UInt8(ascii: "0") + UInt8(number)) } → '
    'if number >= 1 { return bytes.append(UInt8(ascii: "0") + UInt8(number)) }': "0 takes the long way then, to the same digit",
    "Sources/VoiceRecording/LogWriter.swift: boundary: count >= Self → count > Self": (
        "a batch of lines is a byte longer, and is written with the next one"
    ),
    "Sources/VoiceRecording/LogReader.swift: boundary: count <= Limits → count < Limits": (
        "no line is a quarter of a gigabyte long, to the byte"
    ),
    "Sources/VoiceRecording/FolderClaim.swift: literal: for _ in 0..<Self.patienceMilliseconds / Self.stepMilliseconds { → "
    "for _ in 1..<Self.patienceMilliseconds / Self.stepMilliseconds {": "one look fewer of a hundred",
    "Sources/VoiceRecording/SoundRecorder.swift: removed: wave = nil → ": (
        "a real disk that fills up is script/hostile's; what is written to a closed file is nothing"
    ),
    "Sources/VoiceRecording/Scrubber.swift: boundary: count > $1 → count >= $1": (
        "of secrets of the same length none begins with another"
    ),
    "Sources/VoiceRecording/LogWriter.swift: literal: lines.removeAll(keepingCapacity: true) → "
    "lines.removeAll(keepingCapacity: false)": "it only saves asking for the memory again",
    "Sources/VoiceReplay/World/ScriptedUser.swift: literal: actionCount += 1 → actionCount += 2": (
        "it is only asked whether the count is another than before"
    ),
    "Sources/VoiceSound/LevelEndpointer.swift: arithmetic: pauseFrames + 1 → pauseFrames - 1": (
        "silence can only follow a pause, which has that many quiet frames"
    ),
    "Sources/VoiceCore/Interaction/TakenProposals.swift: boundary: count > Limits → count >= Limits": (
        "one proposal fewer of many is remembered"
    ),
    'Sources/VoiceLanguage/Wording/SpokenWording.swift: literal: if let unit = SpokenUnits.name(of: core, isAttached: false), core.contains("/") { return … → '
    'if let unit = SpokenUnits.name(of: core, isAttached: true), core.contains("/") { return […': (
        "no unit that stands directly behind a number has a slash in it"
    ),
}
