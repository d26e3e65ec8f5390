import Testing
import VoiceLoop
import VoiceVocabulary

@testable import parley

/// An answer and the end of the time for it may come together; what is left of that belongs to no later wait.
@Test func theEndOfAnEarlierWaitEndsNoLaterOne() async {
  let inbox = EventInbox()
  inbox.post(.commandsEnded)
  inbox.post(.agentUnavailable(reason: "late"))
  let answer = await inbox.first(within: Int(Int32.max)) { event -> String? in
    if case .agentUnavailable(let reason) = event { reason } else { nil }
  }
  #expect(answer == "late")
}
