import Testing
import VoiceVocabulary

@testable import VoiceCore

/// The regions alone, without a controller.
struct LinkRegionTests {
  private let first = ConnectionID(rawValue: 1)
  private let second = ConnectionID(rawValue: 2)

  @Test func onlyTheConnectionThatIsBeingMadeBecomesReady() {
    var link = LinkRegion()
    #expect(link.currentConnection == nil)
    link.opens(first)
    #expect(link.currentConnection == first && link.openConnection == nil && link.isOpening(first))
    let isSecond = link.ready(second)
    let isFirst = link.ready(first)
    let isAgain = link.ready(first)
    #expect(!isSecond && isFirst && !isAgain)
    #expect(link.openConnection == first)
  }

  @Test func aConnectionIsLeftOnceItExpiresAndCanBeResumed() {
    for resumesFirst in [true, false] {
      var link = LinkRegion()
      link.opens(first)
      _ = link.ready(first)
      #expect(link.expires(second) == nil)
      if resumesFirst { _ = link.resumptionChanged(first, isPossible: true) }
      #expect(link.movableConnection == nil)
      #expect(link.expires(first) == resumesFirst)
      if !resumesFirst { _ = link.resumptionChanged(first, isPossible: true) }
      #expect(link.movableConnection == first)
      _ = link.resumptionChanged(first, isPossible: false)
      #expect(link.movableConnection == nil)
      let isCurrent = link.resumptionChanged(second, isPossible: true)
      #expect(!isCurrent)
    }
  }

  @Test func eachErrorIsToldOnceAndNoMoreThanAFew() {
    var link = LinkRegion()
    let early = link.erred("before there is a connection")
    #expect(!early)
    link.opens(first)
    _ = link.ready(first)
    let told = (0...Limits.toldErrors).map { link.erred("error \($0)") }
    #expect(told == [Bool](repeating: true, count: Limits.toldErrors) + [false])
    link.opens(second)
    _ = link.ready(second)
    let again = [link.erred("error 0"), link.erred("error 0")]
    #expect(again == [true, false])
  }

  /// A connection that lasted was a good one: who is cut off later does not wait longer for it.
  @Test(arguments: [(0, true), (-1, false)]) func aConnectionThatLastedWasAGoodOne(_ more: Int, _ isGood: Bool) {
    var backoff = ReconnectBackoff()
    let first = backoff.failed(wasSlow: false, hasSomethingToLose: true)
    backoff.becameReady(at: .zero)
    backoff.left(at: SessionTime.zero.advanced(byMilliseconds: Limits.provedConnectionMilliseconds + more))
    let next = backoff.failed(wasSlow: false, hasSomethingToLose: true)
    #expect((next == first) == isGood)
  }

  @Test func theNextConnectionIsWaitedForUntilNoneIsTried() {
    var link = LinkRegion()
    link.opens(first)
    _ = link.ready(first)
    link.waits(resuming: true)
    #expect(link.awaitsResuming == true && link.currentConnection == nil)
    link.waits(resuming: false)
    #expect(link.awaitsResuming == false)
    link.gaveUp()
    #expect(link.awaitsResuming == nil && link.currentConnection == nil)
  }
}

/// The server closes it in less time than moving takes.
@Test func aConnectionThatIsCutSoonIsLeftWithoutWaiting() {
  var talk = Talk()
  talk.give(.voiceStarted(detector: .model))
  let actions = talk.give(.linkExpiring(connection: talk.connection, milliseconds: 100))
  #expect(actions.contains(.startTimer(timer: .rotation(connection: talk.connection), milliseconds: 0)))
}

struct InputRegionTests {
  private var input = InputRegion(takesCommands: true)

  @Test mutating func whatCameToNothingIsRememberedOnlySoFarBack() {
    for number in 0...Limits.rememberedLosses { input.speechLost("lost \(number)", words: "number \(number)") }
    for number in 1...Limits.rememberedLosses { input.taken("number \(number)") }
    #expect(input.lostSpeech == nil)
  }

  @Test mutating func aMicrophoneEndsOnce() {
    input.microphoneEnded()
    input.microphoneFailed(reason: "gone")
    #expect(input.microphone == .ended)
    input = InputRegion(takesCommands: true)
    input.microphoneFailed(reason: "gone")
    input.microphoneEnded()
    #expect(input.microphone == .failed(reason: "gone"))
  }

  @Test mutating func everyFrameOfSilenceThatIsStillOwedIsAnotherState() {
    var digests: Set<StateDigest> = []
    input.close(silentFor: Limits.closingSilenceMilliseconds)
    var frames = 0
    repeat {
      var digest = StateDigest()
      input.fold(into: &digest)
      digests.insert(digest)
      frames += 1
    } while input.takeClosingFrame()
    #expect(frames > 2 && digests.count == frames)
  }

  @Test mutating func aMicrophoneIsStartedOnce() {
    let starts = [input.start(), input.start()]
    #expect(starts == [true, false])
  }

  @Test mutating func onlyAMicrophoneThatWasAwayReturns() {
    let early = input.microphoneReturned()
    let lost = [input.microphoneLost(), input.microphoneLost()]
    let returned = [input.microphoneReturned(), input.microphoneReturned()]
    #expect(!early && lost == [true, false] && returned == [true, false])
  }

  @Test mutating func whatIsHeardIsHeardAtAnOpenMicrophone() {
    let began = input.soundLevelChanged(to: .sound)
    #expect(began && input.hearsSound)
    input.close(silentFor: 0)
    #expect(!input.hearsSound)
    let again = input.soundLevelChanged(to: .sound)
    #expect(!again)
    input.open()
    #expect(input.hearsSound)
    let ended = input.soundLevelChanged(to: .pause)
    let stillQuiet = input.soundLevelChanged(to: .silence)
    #expect(ended && !stillQuiet)
  }

  /// A server that was asked to wait for longer does so here, too.
  @Test(arguments: [(600, 6_000), (5_000, 6_000), (8_000, 9_000), (16_000, 17_000)])
  func theSilenceBehindAClosedMicrophoneIsLongerThanThePauseThatEndsATurn(_ pause: Int, _ silence: Int) {
    #expect(InteractionSettings { $0.silenceMilliseconds = pause }.closingSilenceMilliseconds == silence)
    let byClient = InteractionSettings {
      $0.silenceMilliseconds = pause
      $0.turnDetection = .client
    }
    #expect(byClient.closingSilenceMilliseconds == 0)
  }

  @Test mutating func aClosedMicrophoneEndsWithSilence() {
    input.close(silentFor: Limits.closingSilenceMilliseconds)
    var frames = 0
    while input.takeClosingFrame() { frames += 1 }
    #expect(frames == Limits.closingSilenceMilliseconds / PCM.frameMilliseconds)
    input.close(silentFor: Limits.closingSilenceMilliseconds)
    input.open()
    let isOne = input.takeClosingFrame()
    #expect(!isOne)
  }

  @Test mutating func missingSoundIsCounted() {
    func frame(_ position: Int) -> MicrophoneFrame { MicrophoneFrame(position: position, samples: []) }
    let missing = [3_200, 3_520, 4_160].map { input.received(frame($0)) }
    #expect(missing == [0, 0, PCM.frameSamples])
    // The first frame of all is at 0.
    input = InputRegion(takesCommands: true)
    let early = [0, 960].map { input.received(frame($0)) }
    #expect(early == [0, 960 - PCM.frameSamples])
  }
}

struct EchoRegionTests {
  private var echo = EchoRegion()

  @Test mutating func theUserIsToldOfEachDuplexOnce() {
    let told = [Duplex.half, .full, .drowned, .half, .full, .drowned].map { echo.duplexChanged($0, at: .zero) }
    #expect(told == [true, true, true, false, false, false])
    echo = EchoRegion()
    let same = [Duplex.unknown, .half, .unknown, .full, .noEcho].map { echo.duplexChanged($0, at: .zero) }
    #expect(same == [true, false, false, true, false], "to the user it is the same")
  }

  @Test mutating func howTheEchoComesBackIsRememberedToHaveBeenUnknown() {
    func at(_ milliseconds: Int) -> SessionTime { SessionTime.zero.advanced(byMilliseconds: milliseconds) }
    #expect(!echo.isUnknown(since: .zero))
    _ = echo.duplexChanged(.unknown, at: at(1_000))
    #expect(echo.isUnknown(since: at(2_000)))
    _ = echo.duplexChanged(.half, at: at(3_000))
    #expect(echo.isUnknown(since: at(2_900)))
    #expect(echo.isUnknown(since: at(3_900)), "it was found only just before")
    #expect(!echo.isUnknown(since: at(4_000)))
    _ = echo.duplexChanged(.full, at: at(5_000))
    #expect(!echo.isUnknown(since: at(4_000)), "half and full are both known")
    _ = echo.duplexChanged(.unknown, at: at(5_000))
    _ = echo.duplexChanged(.full, at: at(6_000))
    #expect(echo.isUnknown(since: at(35_900)), "what was lost once is lost again")
    #expect(!echo.isUnknown(since: at(36_000)))
  }

  /// As long as a transcript may be late.
  @Test mutating func aDetectedVoiceCountsForAWhile() {
    let heard = SessionTime.zero.advanced(byMilliseconds: 1_000)
    let end = heard.advanced(byMilliseconds: Limits.transcriptDelayMilliseconds)
    echo.vadDecided(isActive: false, at: heard)
    #expect(!echo.wasUserDetected(at: heard), "without a loudspeaker nothing counts as detected")
    _ = echo.duplexChanged(.full, at: .zero)
    echo.vadDecided(isActive: false, at: heard)
    #expect(echo.wasUserDetected(at: end.advanced(byMilliseconds: -1)))
    #expect(!echo.wasUserDetected(at: end))
    echo.vadDecided(isActive: true, at: heard)
    #expect(echo.wasUserDetected(at: end))
    echo.forgetVAD()
    echo.vadDecided(isActive: false, at: end)
    #expect(echo.wasUserDetected(at: end))
    echo.forgetVAD()
    #expect(!echo.wasUserDetected(at: end))
  }
}

struct LeftConnectionTests {
  private func cut(_ talk: inout Talk) {
    talk.give(.linkClosed(connection: talk.connection, failure: LinkFailure(remedy: .resume, reason: "It was cut.")))
  }

  /// Also while the next connection is only waited for.
  @Test func aTurnThatAServerHeardBeginIsOverWithItsConnection() {
    var talk = Talk(.init { $0.turnDetection = .server })
    talk.give(.voiceStarted(detector: .model))
    #expect(talk.controller.floor.floor == .userSpeaking)
    cut(&talk)
    #expect(talk.controller.floor.floor == .quiet)
  }

  @Test func whatALeftConnectionHeardIsIgnoredWithAReason() {
    var talk = Talk()
    cut(&talk)
    _ = talk.controller.takeReasons()
    talk.give(.userTranscribed(connection: talk.connection, text: "why does it fail", isFinal: true))
    #expect(talk.controller.takeReasons() == ["Ignored: that connection was left, and what it heard is heard again."])
  }
}
