/// One thing that goes wrong in a replay, at its place. Written as `ACT:TARGET@PLACE=VALUE`, such as `drop:frame@2%`,
/// `delay:agent@3=1500`, `cut:link@120`.
package struct Fault: Equatable, Sendable {
  /// Events of one sort on their way to the session.
  package enum Stream: String, Sendable, CaseIterable {
    case frame, voice, transcript, proposal, stop, turn, link, speech, agent, command
  }

  /// What goes wrong.
  package enum Act: Equatable, Sendable {
    /// Never arrives.
    case drop(Stream)
    /// Arrives late, and all that comes the same way behind it.
    case delay(Stream, milliseconds: Int)
    case duplicate(Stream)
    /// Arrives, but not as it was sent.
    case corrupt(Stream)
    case cutLink
    /// The connection is cut, and the next attempts to connect fail.
    case refuseLink(times: Int)
    case loseMicrophone
    case loseSpeaker
    case killAgent
    /// The agent does not stop when it is told to.
    case ignoreHalt
    /// The ledger takes nothing more.
    case fillDisk
    /// The ledger takes this long for every entry.
    case slowDisk(milliseconds: Int)
    /// The machine sleeps for so long: the clock goes on, all else stands still, and the server closes the connection.
    case suspend(milliseconds: Int)
  }

  /// When it happens.
  package enum Place: Equatable, Sendable {
    /// Once, where the seed says.
    case anywhere
    /// To the Nth event of its stream, counted from 1; or in the world, after this step of the session, counted from 0.
    case at(Int)
    /// To each event of its stream with this chance.
    case percent(Int)
  }

  package var act: Act
  package var place: Place

  package init(_ act: Act, _ place: Place = .anywhere) {
    self.act = act
    self.place = place
  }

  /// The stream that it works on; nil if it works on the world.
  package var stream: Stream? {
    switch act {
    case .drop(let stream), .delay(let stream, _), .duplicate(let stream), .corrupt(let stream): stream
    default: nil
    }
  }
}

extension Fault {
  /// One to three faults of any kind, anywhere.
  static func some(drawnBy seed: UInt64) -> [Fault] {
    var generator = SeededGenerator(seed: ~seed)
    return (0..<Int.random(in: 1...3, using: &generator)).map { _ in .random(using: &generator) }
  }

  /// One fault of any kind, anywhere.
  static func random(using generator: inout SeededGenerator) -> Fault {
    func pick<Value>(_ values: [Value]) -> Value { values[Int.random(in: 0..<values.count, using: &generator)] }
    let milliseconds = pick([1, 30, 400, 3_000, 12_000])
    switch Int.random(in: 0..<17, using: &generator) {
    case 0...2: return Fault(.drop(pick(Stream.allCases)))
    case 3...5: return Fault(.delay(pick(Stream.allCases), milliseconds: milliseconds))
    case 6...8: return Fault(.duplicate(pick(Stream.allCases.filter { $0 != .frame })))
    case 9: return Fault(.corrupt(pick(Stream.canBeCorrupted)))
    case 10: return Fault(.refuseLink(times: pick([1, 2, 4])))
    case 11: return Fault(pick([.loseMicrophone, .loseSpeaker]))
    case 12: return Fault(.killAgent)
    case 13: return Fault(pick([.fillDisk, .ignoreHalt]))
    case 14: return Fault(.slowDisk(milliseconds: milliseconds))
    case 15: return Fault(.suspend(milliseconds: pick([5_000, 3_600_000])))
    default: return Fault(.cutLink)
    }
  }
}

extension Fault.Stream {
  /// Streams whose events carry something that can arrive wrong.
  static let canBeCorrupted: [Self] = [.frame, .transcript, .proposal, .speech, .agent]
}
