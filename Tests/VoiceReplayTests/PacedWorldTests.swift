import Testing
import VoiceCore
import VoiceTesting
import VoiceVocabulary

@testable import VoiceReplay

private func world() throws -> PacedWorld { try load("silence").pacedWorld() }

@Test func aPacedWorldBeginsWithItsScript() async throws {
  let world = try world()
  guard case .sessionStarted = await world.next()?.event else {
    Issue.record("the session did not start")
    return
  }
}

@Test(.timeLimit(.minutes(5))) func whatALiveModelReportsComesInItsOrderAndInItsTime() async throws {
  let world = try world()
  let connection = ConnectionID(rawValue: 1)
  let start = try #require(await world.next()).time
  let (post, heard) = (world.post, ["run", " the", " tests"])
  // From another thread, as a real one does.
  let posting = Task.detached {
    for text in heard { post(.interimTranscribed(connection: connection, text: text)) }
  }
  var texts: [String] = []
  var last = start
  while texts.count < heard.count, let next = await world.next() {
    #expect(next.time >= last)
    last = next.time
    if case .interimTranscribed(_, let text) = next.event { texts.append(text) }
  }
  await posting.value
  #expect(texts == heard)
}
