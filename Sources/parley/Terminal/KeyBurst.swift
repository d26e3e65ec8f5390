/// Tells a key that was pressed alone, which commands, from text that is typed or pasted, which does not.
///
/// A value without a clock; times come in, as what has passed since some moment. Two characters within `typing` of each
/// other are text, and so are two in one read: they and what follows belong into the input line. A key therefore acts only
/// when it has stood alone for a while: for `typing`, if it decides, sends or stops something, and for `browsing`, if
/// nothing is lost by it. Keys that no text holds act at once.
struct KeyBurst {
  /// What a key turned out to be.
  enum Outcome: Equatable {
    /// The key stood alone.
    case command(Key)
    /// This was typed or pasted.
    case text(String)
  }

  /// Typists need 240 ms from key to key on average, with a deviation of 110 ms (136 million keystrokes, Dhakal and others
  /// 2018); who presses single keys looks at what each does.
  static let typing = Duration.milliseconds(typingMilliseconds)
  static let typingMilliseconds = 350
  /// For keys that only show, or move in speech: fast typists are noticed all the same, slow ones lose nothing.
  static let browsing = Duration.milliseconds(150)
  /// A key that is held down is repeated first after 250 to 660 ms: so soon after the first, it is the same press.
  static let repeating = Duration.milliseconds(700)

  private var pending: (key: Character, pressed: Duration, wait: Duration)?
  /// The characters of late, each within `typing` of the one before.
  private var recent = ""
  private var last: Duration?
  /// What acted last.
  private var acted: Character?

  /// When `elapse` is to be called; nil if nothing waits.
  var due: Duration? { pending.map { $0.pressed + $0.wait } }

  /// - Parameter isInText: whether the same read held other text, which nobody can have typed so fast.
  mutating func press(_ key: Key, at now: Duration, isInText: Bool = false) -> [Outcome] {
    let due = elapse(to: now)
    // What acted a while ago is no part of what comes now.
    if let last, now - last >= Self.typing { recent = "" }
    switch key {
    case .character(let character): return due + press(character, at: now, isInText: isInText)
    case .paste(let text): return due + endText(with: text)
    // Held down, as the terminal itself says: skipping goes on, and nothing else happens twice.
    case .repeated(let character):
      last = now
      return Self.pace(of: character) == .repeating ? due + [.command(.character(character))] : due
    case .released: return due + [.command(key)]
    case .enter, .lineEnd, .tab, .backTab:
      // At the end of a word, they are part of the text.
      if pending != nil || isInText { return due + (recent.isEmpty ? [] : endText(with: " ")) }
      return due + [.command(key)]
    // These take back what was pressed just before.
    case .backspace, .escape, .control("c"), .control("g"):
      reset()
      return due + [.command(key)]
    default:
      let waiting = pending
      reset()
      guard let waiting, waiting.pressed < now else { return due + [.command(key)] }
      return due + [.command(.character(waiting.key)), .command(key)]
    }
  }

  /// Time has passed: what stood alone for long enough acts.
  mutating func elapse(to now: Duration) -> [Outcome] {
    guard let pending, let due, due <= now else { return [] }
    return [act(pending.key)]
  }

  private mutating func press(_ character: Character, at now: Duration, isInText: Bool) -> [Outcome] {
    let gap = last.map { now - $0 } ?? .seconds(3_600)
    last = now
    if isInText { return endText(with: String(character)) }
    guard gap < Self.typing, !recent.isEmpty else { return begin(character, at: now, after: gap) }
    guard recent.contains(where: { $0 != character }) else { return again(character, at: now) }
    // Looking around quickly is no text.
    if Self.isBrowsing(character), recent.allSatisfy(Self.isBrowsing) {
      let outcomes = pending.map { [act($0.key)] } ?? []
      recent.append(character)
      pending = (character, now, Self.browsing)
      return outcomes
    }
    return endText(with: String(character))
  }

  /// A character that comes after a while.
  private mutating func begin(_ character: Character, at now: Duration, after gap: Duration) -> [Outcome] {
    if Self.pace(of: character) == .immediate {
      reset()
      acted = character
      return [.command(.character(character))]
    }
    recent = String(character)
    guard gap > Self.repeating || acted != character || Self.isBrowsing(character) else { return [] }
    pending = (character, now, Self.isBrowsing(character) ? Self.browsing : Self.typing)
    return []
  }

  /// The same character again, and nothing else: the key is held down, or was hit twice.
  private mutating func again(_ character: Character, at now: Duration) -> [Outcome] {
    if recent.count < 100 { recent.append(character) }
    if Self.pace(of: character) == .repeating {
      let outcomes = pending.map { [act($0.key)] } ?? []
      pending = (character, now, Self.browsing)
      return outcomes
    }
    // What is held down before it acted acts when it is let go.
    pending?.pressed = now
    return []
  }

  private mutating func act(_ character: Character) -> Outcome {
    pending = nil
    acted = character
    return .command(.character(character))
  }

  /// What was pressed of late was text, and this follows it.
  private mutating func endText(with text: String) -> [Outcome] {
    let whole = recent + text
    reset()
    return [.text(whole)]
  }

  private mutating func reset() {
    pending = nil
    recent = ""
    acted = nil
  }

  private static func pace(of character: Character) -> Keyboard.Binding.Pace {
    Keyboard.bindingOfKey[.character(character)]?.pace ?? .deciding
  }

  /// Whether nothing is decided, sent, stopped or opened by it.
  private static func isBrowsing(_ character: Character) -> Bool {
    pace(of: character) == .browsing || pace(of: character) == .repeating
  }
}
