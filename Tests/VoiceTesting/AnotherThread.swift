import VoiceSystem

/// Run a body on a thread of its own, until it has returned: what happens there happens at this very moment.
package func onAnotherThread(_ body: @escaping @Sendable () -> Void) {
  let thread = SystemThread()
  precondition(thread.start(body), "a thread for a test could not be started")
  thread.join()
}
