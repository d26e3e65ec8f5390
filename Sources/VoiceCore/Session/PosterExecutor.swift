/// Runs one task, on the thread that resumes it where that thread offers itself, and on the pool everywhere else.
///
/// Correct only for a task that always waits in one place for one thing, such as the loop of `VoiceSession`: then a
/// resumption and the job that it enqueues are the same thread's, one after the other.
package final class PosterExecutor: TaskExecutor {
  private enum Offer {
    case none
    /// A thread is about to resume the task.
    case open
    /// It did, and will run this.
    case taken(UnownedJob)
  }

  private let offer = Locked(Offer.none)

  init() {}

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isTaken = offer.withLock { offer in
      guard case .open = offer else { return false }
      offer = .taken(job)
      return true
    }
    if !isTaken { globalConcurrentExecutor.enqueue(job) }
  }

  /// Do what resumes the task, and then run it on this thread until it waits again.
  func runHere(_ resume: () -> Void) {
    offer.withLock { $0 = .open }
    resume()
    let taken = offer.withLock { offer in
      defer { offer = .none }
      return offer
    }
    if case .taken(let job) = taken { job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}
