package import VoiceVocabulary

/// How what an agent asks is shown. Nobody allows what he could not see: all of it, however long, and to its end.
extension PermissionRequest {
  /// What exactly will happen, as far as the agent tells and the title does not say it: command, files, size of the change, and
  /// whatever else it tells.
  package var particulars: [String] {
    var parts: [String] = []
    if let command = subject.command, title != command, title != "`\(command)`" { parts.append("Command: \(command)") }
    if !subject.paths.isEmpty { parts.append("Files: \(subject.paths.joined(separator: ", "))") }
    if let change = subject.change {
      let (files, added) = (Counted(change.files, "file").digits, Counted(change.linesAdded, "line").digits)
      parts.append("Change: \(files), \(added) added, \(change.linesRemoved) removed")
    }
    // The command is there already; what stands behind it is not.
    let rest = subject.command.map { detail.hasPrefix($0 + "\n") ? String(detail.dropFirst($0.count + 1)) : detail }
    if case let rest = rest ?? detail, !rest.isEmpty, rest != subject.command { parts.append(rest) }
    parts = parts.filter { !title.contains($0) }
    if let once, let number = choices.firstIndex(of: .allowOnce).map({ $0 + 1 }) {
      parts.append("Answer \(number) allows once: \(once)")
    }
    if let number = alwaysNumber { parts.append("Answer \(number) allows from now on: \(alwaysWords)") }
    return parts
  }

  /// The number of the answer that allows more than this once; nil if none does.
  private var alwaysNumber: Int? { choices.firstIndex(of: .allowAlways).map { $0 + 1 } }

  /// What an answer that allows more than this once covers.
  package var alwaysWords: String { always ?? "the agent does not say what" }

  /// What can be answered, each with its number: `1 allow once  2 deny`.
  package var numberedAnswers: String {
    choices.enumerated().map { "\($0 + 1) \($1.offer)" }.joined(separator: "  ")
  }

  /// Why it cannot be allowed just once; nil if it can.
  package var reasonNotToAllowOnce: String? {
    guard let alwaysNumber, !choices.contains(.allowOnce) else { return nil }
    return
      "This can only be allowed from now on, which is more than this once: \(alwaysWords). Choose \(alwaysNumber) for that."
  }

  /// All that is known of it, in one text.
  package var wholeText: String { ([title] + particulars).joined(separator: ": ") }

  /// Whether all of it is shown as soon as it comes up.
  package var isShownAtOnce: Bool { wholeText.utf8.count <= Limits.shownActBytes }

  /// What is shown when it comes up: all of it, or its beginning and its end, and how to see the rest.
  package var shownText: String {
    let whole = wholeText
    guard whole.utf8.count > Limits.shownActBytes else { return whole + missing }
    // By scalars: one character may be as long as the text.
    let scalars = whole.unicodeScalars
    let beginning = String(scalars.prefix(Limits.shownActBeginning))
    let end = String(scalars.suffix(Limits.shownActEnd))
    let count = scalars.count - Limits.shownActBeginning - Limits.shownActEnd
    return "\(beginning) [… \(count) more characters: the key d, or “explain”, shows all of it …] \(end)\(missing)"
  }

  /// Why it cannot be allowed; nil if it can.
  /// - Parameter wasShownWhole: whether all of it was shown since it came up.
  package func refusal(ofAllowing wasShownWhole: Bool) -> String? {
    if let unseenCharacters {
      return "This cannot be approved: \(unseenCharacters) of its characters cannot be shown. "
        + "Reject it, and ask for smaller steps."
    }
    if wasShownWhole || isShownAtOnce { return nil }
    return "You have not seen all of this. Press d, or enter “explain”, to see it; then decide."
  }

  private var missing: String {
    unseenCharacters.map { " [… \($0) more characters are not shown, so it cannot be approved]" } ?? ""
  }
}

extension PermissionRequest.Choice {
  /// As something that can be chosen.
  fileprivate var offer: String {
    switch self {
    case .allowOnce: "allow once"
    case .allowAlways: "allow from now on"
    case .rejectOnce: "deny"
    case .rejectAlways: "deny from now on"
    }
  }
}

extension HeldItem.Content {
  /// Whether only its beginning and its end are shown before the user asks for all of it.
  package var isCutShort: Bool {
    if case .permission(_, let request) = self { !request.isShownAtOnce } else { false }
  }
}
