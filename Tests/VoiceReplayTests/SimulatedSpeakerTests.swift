import Testing
import VoiceCore
import VoiceVocabulary

@testable import VoiceReplay

/// A speaker and its time, in which a test does things at moments.
private final class Room {
  let time = VirtualTime()
  let refusals = Refusals()
  private(set) var triggers: [Fixture.Trigger] = []
  private(set) lazy var speaker = SimulatedSpeaker(time, refusals) { [unowned self] in triggers.append($0) }

  static let first = SpeechID(rawValue: 1)
  static let second = SpeechID(rawValue: 2)

  /// A piece whose sound is all there.
  func play(_ speech: SpeechID, milliseconds: Int) {
    let samples = [Int16](repeating: 0, count: milliseconds * PCM.speakerRate / 1000)
    speaker.play(SpeechAudio(samples: samples), of: speech)
    speaker.finishPlaying(speech)
  }

  func at(_ milliseconds: Int64, _ act: @escaping (Room) -> VoiceEvent?) {
    time.at(.milliseconds(milliseconds)) { [unowned self] in act(self) }
  }

  /// What is reported until nothing more is planned, with the milliseconds.
  func events() -> [String] {
    var rows: [String] = []
    while let next = time.next(limit: .milliseconds(100_000)) {
      let words =
        switch next.event {
        case .playbackStarted(let speech): "\(speech.rawValue) starts"
        case .playbackEnded(let speech): "\(speech.rawValue) ends"
        case .playbackCleared(let speech, let heard):
          "\(speech.map { "\($0.rawValue)" } ?? "nothing") cut after \(heard)"
        case .speakerFailed: "failed"
        case .soundDeviceSilent(let kind, _): "\(kind) away"
        case .soundDeviceReturned(let kind, _): "\(kind) back"
        default: "\(next.event)"
        }
      rows.append("\(next.time.microseconds / 1000): \(words)")
    }
    return rows
  }
}

struct SimulatedSpeakerTests {
  @Test func piecesPlayOneBehindTheOther() {
    let room = Room()
    room.play(Room.first, milliseconds: 100)
    room.play(Room.second, milliseconds: 50)
    #expect(room.events() == ["10: 1 starts", "110: 1 ends", "120: 2 starts", "170: 2 ends"])
    #expect(room.triggers == [.speechStarted, .speechEnded, .speechStarted, .speechEnded])
    #expect(room.refusals.take().isEmpty)
  }

  @Test func aPieceOfWhichMoreComesDoesNotEnd() {
    let room = Room()
    room.speaker.play(SpeechAudio(samples: [0, 0]), of: Room.first)
    room.at(500) { room in
      room.speaker.finishPlaying(Room.first)
      return nil
    }
    #expect(room.events() == ["10: 1 starts", "500: 1 ends"])
  }

  @Test func whatIsClearedTellsHowMuchWasHeardAndNeverEnds() {
    let room = Room()
    room.play(Room.first, milliseconds: 1_000)
    room.play(Room.second, milliseconds: 1_000)
    room.at(400) { room in
      room.speaker.clear()
      return nil
    }
    #expect(room.events() == ["10: 1 starts", "400: 1 cut after 400"])
  }

  @Test func nothingIsCutWhereNothingPlays() {
    let room = Room()
    room.speaker.clear()
    #expect(room.events() == ["0: nothing cut after 0"])
  }

  @Test func whatWasLoweredDoesNotCountAsHeard() {
    let room = Room()
    room.play(Room.first, milliseconds: 1_000)
    for (moment, act) in [(300, { $0.duck() }), (350, { $0.duck() }), (900, { $0.resume() }), (950, { $0.resume() })]
      as [(Int64, (SimulatedSpeaker) -> Void)]
    {
      room.at(moment) { room in
        act(room.speaker)
        return nil
      }
    }
    #expect(room.events() == ["10: 1 starts", "1610: 1 ends"])
  }

  @Test func aSpeakerThatWasAwayPlaysOnWhereItWasCutOff() {
    let room = Room()
    room.play(Room.first, milliseconds: 1_000)
    room.at(300) { $0.speaker.unplug() }
    room.at(301) { $0.speaker.unplug() }
    room.at(2_300) { $0.speaker.plugIn() }
    room.at(2_301) { $0.speaker.plugIn() }
    #expect(room.events() == ["10: 1 starts", "300: speaker away", "2300: speaker back", "3010: 1 ends"])
  }

  @Test func whatComesWhileTheSpeakerIsAwayWaitsForIt() {
    let room = Room()
    room.at(0) { $0.speaker.unplug() }
    room.at(100) { room in
      room.play(Room.first, milliseconds: 100)
      return nil
    }
    room.at(5_000) { $0.speaker.plugIn() }
    #expect(room.events() == ["0: speaker away", "5000: speaker back", "5010: 1 starts", "5110: 1 ends"])
  }

  /// Lowered, then away, then there again, then raised: it was silent from the first to the last.
  @Test func aSpeakerThatIsLoweredAndAwayIsSilentUntilBothAreOver() {
    let room = Room()
    room.play(Room.first, milliseconds: 1_000)
    room.at(200) { room in
      room.speaker.duck()
      return nil
    }
    room.at(400) { $0.speaker.unplug() }
    room.at(600) { $0.speaker.plugIn() }
    room.at(1_000) { room in
      room.speaker.resume()
      return nil
    }
    #expect(room.events() == ["10: 1 starts", "400: speaker away", "600: speaker back", "1810: 1 ends"])
  }

  @Test func aLostSpeakerIsSilentAndToldOnce() {
    let room = Room()
    room.play(Room.first, milliseconds: 1_000)
    room.at(300) { $0.speaker.lose() }
    room.at(310) { $0.speaker.lose() }
    room.at(320) { room in
      room.play(Room.second, milliseconds: 10)
      room.speaker.clear()
      return room.speaker.unplug() ?? room.speaker.plugIn()
    }
    #expect(room.events() == ["10: 1 starts", "300: failed"])
  }

  @Test func soundOfAnEarlierPieceIsRefused() {
    let room = Room()
    for speech in [Room.first, Room.second, Room.first] { room.speaker.play(SpeechAudio(samples: [0]), of: speech) }
    #expect(room.refusals.take() == ["pieces of speech were mixed up"])
    #expect(room.refusals.take().isEmpty, "they are taken once")
  }

  @Test func whatIsPlannedForTheSameMomentHappensInItsOrder() {
    let time = VirtualTime()
    for name in ["a", "b"] {
      time.after(milliseconds: 20, .interimTranscribed(connection: .init(rawValue: 1), text: name))
    }
    time.after(milliseconds: 10, .commandsEnded)
    #expect(time.due == .milliseconds(10))
    #expect(time.next(limit: .milliseconds(9)) == nil)
    #expect(time.next(limit: .milliseconds(10))?.event == .commandsEnded)
    // What is late happens now.
    time.at(.zero) { .microphoneEnded }
    let rest = (0..<3).compactMap { _ in time.next(limit: .milliseconds(20)) }
    #expect(rest.map(\.time) == [.milliseconds(10), .milliseconds(20), .milliseconds(20)])
    #expect(rest.first?.event == .microphoneEnded)
    #expect(rest.last?.event == .interimTranscribed(connection: .init(rawValue: 1), text: "b"))
    // Real time passes up to what is planned.
    time.after(milliseconds: 10, .commandsEnded)
    time.advance(to: .milliseconds(30))
    #expect(time.now == .milliseconds(30) && time.next(limit: .milliseconds(30))?.event == .commandsEnded)
    time.end()
    time.advance(to: .milliseconds(20))
    #expect(time.now == .milliseconds(30) && time.due == nil, "it does not go back")
  }
}
