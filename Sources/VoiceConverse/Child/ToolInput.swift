import VoiceJSON
import VoiceVocabulary

/// What a tool is given: the changes to a file that it tells under one of a few names, and everything that is not in them.
struct ToolInput {
  /// The names under which agents tell the text that is replaced.
  static let oldNames = ["old_string", "old_str", "oldText"]
  /// The names under which agents tell the text that is written.
  static let newNames = ["new_string", "new_str", "newText", "file_text", "content", "new_source"]

  private(set) var changes: [ToolChange] = []
  /// What the changes do not show, in the order of the names. A member of the `arguments` in the input has its own name, or
  /// `arguments.NAME` where the input has another value of that name.
  private(set) var rest: [(name: String, value: JSON)] = []

  /// - Parameters:
  ///   - isEdit: Whether a text that is to be written is a change, though no text is replaced.
  ///   - isRead: Whether changes are looked for.
  init(_ input: JSON, isEdit: Bool, isRead: Bool = true) {
    var outer = input.members
    var inner: [String: JSON] = [:]
    if case .object(let members)? = outer["arguments"] { (outer["arguments"], inner) = (nil, members) }
    for (members, isInner) in [(outer, false), (inner, true)] {
      let left = isRead && changes.isEmpty ? read(members, isEdit: isEdit) : Array(members)
      for (name, value) in left where value != .null {
        guard isInner, let same = outer[name], same != .null else {
          rest.append((name, value))
          continue
        }
        if same != value { rest.append(("arguments.\(name)", value)) }
      }
    }
    rest.sort { $0.name == $1.name ? Self.words(of: $0.value) < Self.words(of: $1.value) : $0.name < $1.name }
  }

  /// Find the changes in these members.
  /// - Returns: What they do not show.
  private mutating func read(_ members: [String: JSON], isEdit: Bool) -> [(key: String, value: JSON)] {
    let edits = members["edits"]?.elements ?? []
    let found = edits.map { Self.change(in: $0.members) }
    if found.contains(where: { $0 != nil }) {
      var left = members.filter { $0.key != "edits" }.map { ($0.key, $0.value) }
      for (number, (edit, found)) in zip(edits, found).enumerated() {
        guard let found else {
          left.append(("edits[\(number)]", edit))
          changes.append(ToolChange(isFromInput: true, isPartly: true))
          continue
        }
        // One place is what is shown.
        let rest = found.rest.filter { $0.value != .null && !($0.key == "replace_all" && $0.value == false) }
        left += rest.map { ("edits[\(number)].\($0.key)", $0.value) }
        var change = found.change
        change.isPartly = !rest.isEmpty
        changes.append(change)
      }
      return left
    }
    guard let found = Self.change(in: members), isEdit || found.change.old != nil else { return Array(members) }
    changes = [found.change]
    return Array(found.rest)
  }

  /// The change that an object tells, and the members that it does not show; nil if it tells none.
  private static func change(in members: [String: JSON]) -> (change: ToolChange, rest: [String: JSON])? {
    let (old, new) = (shown(members, oldNames), shown(members, newNames))
    guard old != nil || new != nil else { return nil }
    let rest = members.filter { name, value in
      if name == old?.name || name == new?.name { return false }
      // An empty text says that nothing is replaced, or that nothing is written instead.
      return value.string != "" || !(oldNames.contains(name) || new == nil && newNames.contains(name))
    }
    return (ToolChange(old: old?.text, new: new?.text, isFromInput: true), rest)
  }

  private static func shown(_ members: [String: JSON], _ names: [String]) -> (name: String, text: String)? {
    names.lazy.compactMap { name in members[name].flatMap(wholeText).map { (name, $0) } }.first { !$0.1.isEmpty }
  }

  /// A text, or the words of a command.
  static func text(_ value: JSON) -> String? {
    if let text = value.string { return text }
    let words = value.elements.compactMap(\.string)
    return words.isEmpty ? nil : words.map(shellWord).joined(separator: " ")
  }

  /// A word as a shell would have to read it, so that what is judged is what is run.
  private static func shellWord(_ word: String) -> String {
    let isPlain = !word.isEmpty && word.utf8.allSatisfy { $0.isASCIILetterOrDigit || "_./=:,+@%-".utf8.contains($0) }
    return isPlain ? word : "'" + word.replacing("'", with: #"'\''"#) + "'"
  }

  /// The same where nothing of the value is left out; nil else.
  static func wholeText(_ value: JSON) -> String? {
    value.elements.allSatisfy { $0.string != nil } ? text(value) : nil
  }

  /// A text as it is, anything else as JSON.
  static func words(of value: JSON) -> String { value.string ?? String(decoding: value.bytes, as: UTF8.self) }
}
