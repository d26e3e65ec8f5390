/// One machine's part of a corpus: the Kth of N.
package struct Shard: Equatable, Sendable {
  /// From 1.
  package let number: Int
  package let count: Int

  /// Everything.
  package static let whole = Shard(1, of: 1)

  private init(_ number: Int, of count: Int) {
    self.number = number
    self.count = count
  }

  /// Read "2/5".
  package init(_ text: String) throws(FixtureFailure) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let number = parts[0], let count = parts[1], count >= 1, (1...count).contains(number) else {
      throw FixtureFailure("“\(text)” is no shard: it is written as K/N, with K from 1 to N.")
    }
    self.init(number, of: count)
  }

  /// How a system tells a machine its part.
  private struct Convention {
    let index: String
    let count: String
    /// What the first machine's index is.
    let first: Int
  }

  private static let conventions = [
    Convention(index: "CIRCLE_NODE_INDEX", count: "CIRCLE_NODE_TOTAL", first: 0),
    Convention(index: "BUILDKITE_PARALLEL_JOB", count: "BUILDKITE_PARALLEL_JOB_COUNT", first: 0),
    Convention(index: "CI_NODE_INDEX", count: "CI_NODE_TOTAL", first: 1),
    // Kubernetes tells an indexed job its index alone; the number of completions has to be put beside it.
    Convention(index: "JOB_COMPLETION_INDEX", count: "PARLEY_SHARD_COUNT", first: 0),
  ]

  /// The part that the environment names: that of CircleCI, Buildkite, GitLab (and those that follow it), or an indexed job
  /// of Kubernetes. Everything, if it names none.
  package init(environment: [String: String]) throws(FixtureFailure) {
    for convention in Self.conventions {
      guard let index = environment[convention.index], let count = environment[convention.count] else { continue }
      guard let index = Int(index), let count = Int(count), count >= 1,
        (convention.first..<convention.first + count).contains(index)
      else {
        throw FixtureFailure(
          "\(convention.index) is “\(index)” and \(convention.count) is “\(count)”, which is no shard; use --shard K/N."
        )
      }
      self.init(index - convention.first + 1, of: count)
      return
    }
    self = .whole
  }

  /// Its part of a list: every Nth, so that parts are about equal.
  package func part<Element>(of all: [Element]) -> [Element] {
    all.enumerated().filter { $0.offset % count == number - 1 }.map(\.element)
  }
}
