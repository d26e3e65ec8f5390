import VoiceFoundation
import VoiceVocabulary

extension Fault: CustomStringConvertible {
  package var description: String {
    let place =
      switch self.place {
      case .anywhere: ""
      case .at(let number): "@\(number)"
      case .percent(let chance): "@\(chance)%"
      }
    return switch act {
    case .drop(let stream): "drop:\(stream.rawValue)\(place)"
    case .delay(let stream, let milliseconds): "delay:\(stream.rawValue)\(place)=\(milliseconds)"
    case .duplicate(let stream): "duplicate:\(stream.rawValue)\(place)"
    case .corrupt(let stream): "corrupt:\(stream.rawValue)\(place)"
    case .cutLink: "cut:link\(place)"
    case .refuseLink(let times): "refuse:link\(place)=\(times)"
    case .loseMicrophone: "lose:microphone\(place)"
    case .loseSpeaker: "lose:speaker\(place)"
    case .killAgent: "kill:agent\(place)"
    case .ignoreHalt: "ignore:halt\(place)"
    case .fillDisk: "fill:disk\(place)"
    case .slowDisk(let milliseconds): "slow:disk\(place)=\(milliseconds)"
    case .suspend(let milliseconds): "suspend:machine\(place)=\(milliseconds)"
    }
  }

  /// Read `ACT:TARGET@PLACE=VALUE`; place and value are absent where they have a default.
  package init(_ text: String) throws(FixtureFailure) {
    func failure(_ reason: String) -> FixtureFailure {
      FixtureFailure(
        "“\(text)” is no fault: \(reason). It is written as ACT:TARGET@PLACE=VALUE, as delay:agent@3=1500.")
    }
    let (front, value) = text.cut(at: "=")
    let (name, place) = front.cut(at: "@")
    let (act, target) = name.cut(at: ":")
    let number = value.flatMap { Int($0) }
    guard value == nil || (number.map { (1...3_600_000).contains($0) } ?? false) else {
      throw failure("its value must be a number from 1 to 3600000")
    }
    guard let made = Act(act, target ?? "", number) else {
      throw failure("nothing is called \(name) and takes that value")
    }
    let isOfEvents = Fault(made).stream != nil
    self.act = made
    switch place {
    case nil: self.place = .anywhere
    case .some(let place) where place.hasSuffix("%"):
      guard let chance = Int(place.dropLast()), (0...100).contains(chance), isOfEvents else {
        throw failure("only events have a chance, from 0% to 100%")
      }
      self.place = .percent(chance)
    case .some(let place):
      guard let number = Int(place), (0...1_000_000_000).contains(number), !isOfEvents || number > 0
      else {
        throw failure("its place must be a number, or a chance such as 5%")
      }
      self.place = .at(number)
    }
  }

  /// Faults of a file: one a line; what follows a `#` is a comment.
  package static func list(inFile path: String) throws(FixtureFailure) -> [Fault] {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw FixtureFailure("Cannot read \(path): there is no such file, or it may not be read.")
    }
    var faults: [Fault] = []
    for (index, line) in String(decoding: data, as: UTF8.self).lines.enumerated() {
      let text = line.prefix { $0 != "#" }.filter { !$0.isWhitespace }
      guard !text.isEmpty else { continue }
      do {
        faults.append(try Fault(text))
      } catch {
        throw FixtureFailure("\(path), line \(index + 1): \(error)")
      }
    }
    return faults
  }
}

extension Fault.Act {
  fileprivate init?(_ act: Substring, _ target: Substring, _ value: Int?) {
    let stream = Fault.Stream(rawValue: String(target))
    switch (act, target, stream, value) {
    case ("drop", _, let stream?, nil): self = .drop(stream)
    case ("delay", _, let stream?, let value): self = .delay(stream, milliseconds: value ?? 500)
    // A microphone cannot give one moment twice.
    case ("duplicate", _, let stream?, nil) where stream != .frame: self = .duplicate(stream)
    case ("corrupt", _, let stream?, nil) where Fault.Stream.canBeCorrupted.contains(stream): self = .corrupt(stream)
    case ("cut", "link", _, nil): self = .cutLink
    case ("refuse", "link", _, let value) where (1...100).contains(value ?? 1): self = .refuseLink(times: value ?? 1)
    case ("lose", "microphone", _, nil): self = .loseMicrophone
    case ("lose", "speaker", _, nil): self = .loseSpeaker
    case ("kill", "agent", _, nil): self = .killAgent
    case ("ignore", "halt", _, nil): self = .ignoreHalt
    case ("fill", "disk", _, nil): self = .fillDisk
    case ("slow", "disk", _, let value): self = .slowDisk(milliseconds: value ?? 2_000)
    case ("suspend", "machine", _, let value): self = .suspend(milliseconds: value ?? 3_600_000)
    default: return nil
    }
  }
}

extension StringProtocol {
  /// What stands before and behind the first such character.
  fileprivate func cut(at separator: Character) -> (Substring, Substring?) {
    guard let index = firstIndex(of: separator) else { return (Substring(self), nil) }
    return (Substring(self[..<index]), Substring(self[self.index(after: index)...]))
  }
}

extension Fault: Codable {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    do {
      try self.init(container.decode(String.self))
    } catch let failure as FixtureFailure {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: failure.description)
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
