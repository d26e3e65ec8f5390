import VoiceLanguage
import VoiceVocabulary

/// What the session knows of the words that are spoken in it: the project's names, and what the user taught.
package struct WordsRegion: Equatable, Sendable {
  private var knowledge = WordRepair()
  /// Instructions that were approved, as they left, newest last: their words were right.
  private var approvedTexts: [String] = []

  /// What the recogniser knew of instructions besides their words, newest last.
  private var hearings: [HeardInstruction] = []

  /// Lessons that an alternative of the recogniser's own gives, chosen once so far, newest last.
  private var chosenOnce: [Correction] = []

  private struct HeardInstruction: Equatable, Sendable {
    let id: InstructionID
    /// As it was transcribed.
    var text: String
    var hearing: Hearing
  }

  /// An instruction, or a further piece of one, was heard in these words.
  mutating func remember(_ text: String, _ hearing: Hearing, as id: InstructionID) {
    guard let place = hearings.firstIndex(where: { $0.id == id }) else {
      guard !hearing.isEmpty else { return }
      hearings = hearings.suffix(Limits.heldItems - 1) + [HeardInstruction(id: id, text: text, hearing: hearing)]
      return
    }
    let before = hearings[place]
    hearings[place].hearing = Hearing.joined([(before.text, before.hearing), (text, hearing)])
    hearings[place].text = before.text + " " + text
  }

  /// What else an instruction may have been, as it would be written: without its present text, and nothing twice.
  func alternatives(to instruction: Instruction) -> [String] {
    guard instruction.source == .voice, let heard = hearings.last(where: { $0.id == instruction.id }) else { return [] }
    var seen: Set = [instruction.text]
    return heard.hearing.alternatives.map { knowledge.repair(MeantText(said: $0)).text }
      .filter { seen.insert($0).inserted }
  }

  /// What is known from before; what was taught in this session stays.
  mutating func learn(_ words: ProjectWords) {
    let taught = knowledge.lessons
    knowledge = WordRepair(words)
    knowledge.learn(taught)
  }

  /// Something said with its words put right, and which of them are doubtful.
  func repaired(_ meant: MeantText, heard: String, _ hearing: Hearing) -> RepairedText {
    knowledge.repair(meant, unsure: hearing.unsureWords(of: heard))
  }

  /// A text with a change that was said, as it would be written; nil if it does not hold what is to be changed.
  func amended(_ text: String, by amendment: SpokenAmendment) -> String? {
    amendment.applied(to: text, with: knowledge)
  }

  /// Put the words of a spoken instruction right, and note which of them are doubtful.
  func repair(_ instruction: inout Instruction, meaning meant: MeantText) {
    let heard = hearings.last { $0.id == instruction.id }
    let repaired = knowledge.repair(
      meant, unsure: heard.map { $0.hearing.unsureWords(of: $0.text) } ?? [])
    guard !repaired.notes.isEmpty else { return }
    instruction.repair = InstructionRepair(raw: meant.text, notes: repaired.notes)
    instruction.text = repaired.text
  }

  /// The user edited a held instruction. Returns what that taught. Only what was spoken teaches: whoever types and edits
  /// again did not mishear; nor who replaces what the recogniser was sure of by what does not sound the same.
  mutating func edited(_ instruction: Instruction, to text: String) -> [Correction] {
    guard instruction.source == .voice else { return [] }
    let lessons = Teaching.lessons(
      from: instruction.text, to: text, notes: instruction.repair?.notes ?? [], approved: approvedTexts)
    return learn(
      lessons.filter { lesson in
        if isChangeOfMind(lesson, of: instruction) { return false }
        return !isOffered(lesson, for: instruction) || isChosenAgain(lesson)
      })
  }

  private func isChangeOfMind(_ lesson: Correction, of instruction: Instruction) -> Bool {
    guard !lesson.leavesAlone, SoundKey(lesson.heard) != SoundKey(lesson.meant),
      let heard = hearings.last(where: { $0.id == instruction.id })
    else { return false }
    return Teaching.isSure(of: lesson.heard, in: heard.text, heard.hearing)
  }

  /// Whether the recogniser itself had offered this: a user who picks one of its alternatives may only have picked the wrong one.
  private func isOffered(_ lesson: Correction, for instruction: Instruction) -> Bool {
    alternatives(to: instruction).contains {
      Teaching.lessons(from: instruction.text, to: $0).contains { $0.isPair(of: lesson) }
    }
  }

  /// Whether the user had chosen it before. If not, it is remembered that he has now.
  private mutating func isChosenAgain(_ lesson: Correction) -> Bool {
    if chosenOnce.contains(where: { $0.isPair(of: lesson) }) { return true }
    chosenOnce = chosenOnce.suffix(Limits.rememberedInstructions - 1) + [lesson]
    return false
  }

  /// The user approved an instruction. Returns what that taught: a form that is usually wrong was right here.
  mutating func approved(_ instruction: Instruction) -> [Correction] {
    approvedTexts = approvedTexts.suffix(Limits.rememberedInstructions - 1) + [instruction.text]
    return learn(Teaching.lessons(approving: instruction.text, known: knowledge.lessons))
  }

  private mutating func learn(_ corrections: [Correction]) -> [Correction] {
    knowledge.learn(corrections)
    return corrections
  }
}

extension Correction {
  /// Whether both say the same of the same words, whatever stood beside them.
  fileprivate func isPair(of other: Correction) -> Bool { heard == other.heard && meant == other.meant }
}

extension WordsRegion: DigestedState {
  /// What was approved follows from the steps before. Names are many and never change by themselves: their number will do.
  func fold(into digest: inout StateDigest) {
    digest.fold(hearings.count, hearings.last?.id, hearings.last?.hearing, knowledge.nameCount)
    for lessons in [chosenOnce, knowledge.lessons] {
      digest.fold(lessons.count)
      for lesson in lessons { digest.fold(lesson.heard, lesson.meant) }
    }
  }
}
