/// Wait until this is so, where what is looked at tells nobody that it changed: a file, a process, a screen. Bounded by the test's
/// time limit. The pause between two looks is no time in which something has to happen: without it, looking takes the processor
/// from what is looked at.
public func waitUntil(_ isSo: () async throws -> Bool) async throws {
  while try await !isSo() { try await Task.sleep(for: .milliseconds(20)) }
}
