import Testing
import VoiceSystem

struct SystemThreadTests {
  /// A body that waits for files must not keep a thread that tasks share.
  @Test func aValueIsFoundOnAThreadOfNoTask() async {
    let isInTask = await SystemThread.value(for: "a test") { withUnsafeCurrentTask { $0 != nil } }
    #expect(!isInTask)
    #expect(withUnsafeCurrentTask { $0 != nil })
  }
}
