package import VoiceJSON

/// A conversation that can branch: every message knows its parent, and of the messages with one parent the one selected
/// last is on the active branch.
///
/// For servers that keep nothing: the branch is sent with every instruction.
package struct MessageTree: Equatable, Sendable {
  /// Who wrote a message.
  package enum Role: String, Sendable { case user, model }

  /// One message, with the one that it follows.
  package struct Message: Equatable, Sendable {
    /// Counts from 1.
    package let id: Int
    /// nil for a message that begins the conversation.
    package let parent: Int?
    package let role: Role
    /// In the words of the dialect that sends them.
    package let parts: [JSON]
    /// Counts selections; the highest among siblings is on the active branch.
    package fileprivate(set) var selectedAt: Int
  }

  /// In the order in which they were written; a message stands behind its parent, at `id - 1`.
  package private(set) var messages: [Message] = []
  /// The message that the next one follows; nil at the beginning.
  package private(set) var tip: Int?
  private var selections = 0
  /// Of lines whose writer did not know all those before: how it calls messages that have other numbers here.
  private var renamed: [Int: Int] = [:]

  package init() {}

  /// From the beginning to the tip.
  package var branch: [Message] {
    var path: [Message] = []
    var next = tip
    while let id = next {
      let message = messages[id - 1]
      path.append(message)
      next = message.parent
    }
    return path.reversed()
  }

  /// Whether there is a message of this number.
  package func contains(_ id: Int) -> Bool { id >= 1 && id <= messages.count }

  /// Write a message behind the tip; it becomes the tip.
  @discardableResult
  package mutating func add(_ role: Role, _ parts: [JSON]) -> Message {
    selections += 1
    let message = Message(
      id: messages.count + 1, parent: tip, role: role, parts: parts, selectedAt: selections)
    messages.append(message)
    tip = message.id
    return message
  }

  /// Go back: the next message follows this one, beside those that follow it already. False if there is no such message.
  package mutating func goBack(to id: Int) -> Bool {
    guard contains(id) else { return false }
    select(id)
    tip = id
    return true
  }

  /// Go back to before the newest answer, so that the next one is its sibling. False if the tip is no answer.
  package mutating func regenerate() -> Bool {
    guard let tip, messages[tip - 1].role == .model else { return false }
    self.tip = messages[tip - 1].parent
    return true
  }

  /// Make this message and what follows it the active branch. False if there is no such message.
  package mutating func switchTo(_ id: Int) -> Bool {
    guard contains(id) else { return false }
    select(id)
    tip = leaf
    return true
  }

  /// The message and all before it become the selected ones among their siblings.
  private mutating func select(_ id: Int) {
    var next: Int? = id
    while let current = next {
      selections += 1
      messages[current - 1].selectedAt = selections
      next = messages[current - 1].parent
    }
  }

  /// The end of the active branch.
  private var leaf: Int? {
    var last: Int?
    while let next = messages.filter({ $0.parent == last }).max(by: { $0.selectedAt < $1.selectedAt }) {
      last = next.id
    }
    return last
  }
}

// As lines of a file: one for each message, one for each change of the tip.
extension MessageTree {
  /// The line of a message that was added.
  package static func line(_ message: Message) -> JSON {
    var fields: [String: JSON] = [
      "id": .integer(message.id), "role": .string(message.role.rawValue), "parts": .array(message.parts),
    ]
    fields["parent"] = message.parent.map { .integer($0) }
    return .object(["message": .object(fields)])
  }

  /// The line that says where the conversation goes on.
  package static func line(tip: Int?) -> JSON { .object(["tip": tip.map { .integer($0) } ?? .null]) }

  /// Take a line over; false if it does not belong behind those before it.
  ///
  /// Two writers may have given one number each to a message: both are kept, and the later one gets a number of its own.
  package mutating func read(_ line: JSON) -> Bool {
    if let tip = line["tip"] {
      if tip == .null {
        self.tip = nil
        return true
      }
      return goBack(to: number(tip) ?? 0)
    }
    guard let fields = line["message"], let id = fields["id"]?.integer, (1...(messages.count + 1)).contains(id),
      let role = (fields["role"]?.string).flatMap(Role.init), let parts = fields["parts"]
    else { return false }
    if id > messages.count { renamed = [:] }
    if let parent = fields["parent"] {
      guard let known = number(parent), contains(known) else { return false }
      tip = known
    } else {
      tip = nil
    }
    let message = add(role, parts.elements)
    if message.id != id { renamed[id] = message.id }
    return true
  }

  private func number(_ value: JSON) -> Int? { value.integer.map { renamed[$0] ?? $0 } }
}
