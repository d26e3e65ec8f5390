import CCurl
import VoiceSystem
import VoiceVocabulary

/// Streaming HTTP over libcurl: any number of transfers on one thread of its own.
///
/// HTTP/1.1 and, over TLS, HTTP/2; certificates are verified; redirects are not followed, so that a token goes nowhere
/// else. Bytes are handed over on the owner thread as they arrive and are never stored: a slow receiver slows the
/// server. A request that may change something never goes out twice.
package final class HTTPStream: Sendable {
  /// Names one transfer.
  package struct Transfer: Hashable, Sendable {
    let number: Int
  }

  private let owner: HTTPThread

  /// Start the owner thread. `certificateAuthorityFile` replaces the system's trusted certificates.
  package init(certificateAuthorityFile: String? = nil) {
    owner = HTTPThread(certificateAuthorityFile: certificateAuthorityFile)
    owner.start()
  }

  /// Begin a transfer; events come on the owner thread, in order, the last one is `ended`. Any thread.
  package func start(_ request: HTTPRequest, receive: @escaping @Sendable (HTTPEvent) -> Void) -> Transfer {
    owner.add(request, receive)
  }

  /// End a transfer now; `ended(.cancelled)` follows unless it had ended. Any thread, any number of times.
  package func cancel(_ transfer: Transfer) { owner.cancel(transfer) }

  /// End a transfer of which nothing was sent, with `ended(.withdrawn)`; any other goes on, and `hasLeft` is told. Any thread.
  package func withdraw(_ transfer: Transfer) { owner.withdraw(transfer) }

  /// Cancel everything and end the thread; returns when it is gone. Later requests end as cancelled.
  package func close() async { await owner.close() }
}

/// The multi handle, as far as other threads may use it.
private struct Waker: @unchecked Sendable {
  // libcurl allows `curl_multi_wakeup` from any thread; the owner thread frees the handle after it took the waker away.
  let multi: UnsafeMutableRawPointer
}

private final class HTTPThread: @unchecked Sendable {
  // `inbox` is for any thread; `multi`, `transfers` and `authority` are touched by the owner thread only, once started.
  private struct Inbox: Sendable {
    enum Command: Sendable {
      case add(HTTPStream.Transfer, HTTPRequest, @Sendable (HTTPEvent) -> Void)
      case cancel(HTTPStream.Transfer)
      case withdraw(HTTPStream.Transfer)
    }

    enum State: Sendable {
      case open(Waker)
      case closing(Waker)
      case closed
    }

    var state: State
    var commands: [Command] = []
    var lastTransfer = 0
    var closers: [CheckedContinuation<Void, Never>] = []
  }

  private let inbox: Locked<Inbox>
  private let multi: UnsafeMutableRawPointer
  private let authority: String?
  private var transfers: [HTTPStream.Transfer: HTTPTransfer] = [:]

  /// Once for the process, before any thread uses the library.
  private static let isInitialised = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

  init(certificateAuthorityFile: String?) {
    precondition(Self.isInitialised, "libcurl could not be initialised")
    guard let multi = curl_multi_init() else { preconditionFailure("libcurl could not make a multi handle") }
    self.multi = multi
    authority = certificateAuthorityFile
    inbox = Locked(Inbox(state: .open(Waker(multi: multi))))
  }

  func start() { SystemThread.detach(for: "HTTP") { [self] in loop() } }

  // Any thread.

  func add(_ request: HTTPRequest, _ receive: @escaping @Sendable (HTTPEvent) -> Void) -> HTTPStream.Transfer {
    let (transfer, isTaken) = inbox.withLock { inbox in
      inbox.lastTransfer += 1
      let transfer = HTTPStream.Transfer(number: inbox.lastTransfer)
      return (transfer, Self.push(.add(transfer, request, receive), to: &inbox))
    }
    if !isTaken { receive(.ended(.cancelled)) }
    return transfer
  }

  func cancel(_ transfer: HTTPStream.Transfer) {
    _ = inbox.withLock { Self.push(.cancel(transfer), to: &$0) }
  }

  func withdraw(_ transfer: HTTPStream.Transfer) {
    _ = inbox.withLock { Self.push(.withdraw(transfer), to: &$0) }
  }

  private static func push(_ command: Inbox.Command, to inbox: inout Inbox) -> Bool {
    guard case .open(let waker) = inbox.state else { return false }
    inbox.commands.append(command)
    curl_multi_wakeup(waker.multi)
    return true
  }

  func close() async {
    await withCheckedContinuation { continuation in
      let isClosed = inbox.withLock { inbox in
        switch inbox.state {
        case .closed: return true
        case .open(let waker), .closing(let waker):
          inbox.state = .closing(waker)
          inbox.closers.append(continuation)
          curl_multi_wakeup(waker.multi)
          return false
        }
      }
      if isClosed { continuation.resume() }
    }
  }

  // The owner thread.

  private func loop() {
    while takeCommands() {
      var running: Int32 = 0
      curl_multi_perform(multi, &running)
      finishTransfers()
      let wait = endSilentTransfers(now: ContinuousClock.now)
      curl_multi_poll(multi, nil, 0, wait, nil)
    }
    for transfer in transfers.values { end(transfer, .cancelled) }
    let closers = inbox.withLock { inbox in
      inbox.state = .closed
      defer { inbox.closers = [] }
      return inbox.closers
    }
    curl_multi_cleanup(multi)
    for closer in closers { closer.resume() }
  }

  /// False when the thread is to end.
  private func takeCommands() -> Bool {
    let (commands, goesOn) = inbox.withLock { inbox in
      defer { inbox.commands = [] }
      if case .open = inbox.state { return (inbox.commands, true) }
      return (inbox.commands, false)
    }
    for command in commands {
      switch command {
      case .add(let id, let request, let receive):
        do throws(HTTPFailure) {
          let transfer = try HTTPTransfer(id, request, authority: authority, receive)
          transfers[id] = transfer
          curl_multi_add_handle(multi, transfer.handle)
        } catch {
          receive(.ended(.failed(error)))
        }
      case .cancel(let id):
        if let transfer = transfers[id] { end(transfer, .cancelled) }
      case .withdraw(let id):
        // The library sends nothing but on this thread.
        guard let transfer = transfers[id] else { continue }
        if transfer.hasLeft { transfer.receive(.hasLeft) } else { end(transfer, .withdrawn) }
      }
    }
    return goesOn
  }

  private func finishTransfers() {
    var left: Int32 = 0
    while let message = curl_multi_info_read(multi, &left) {
      guard message.pointee.msg == CURLMSG_DONE else { continue }
      let handle = message.pointee.easy_handle
      let code = message.pointee.data.result
      guard let transfer = transfers.values.first(where: { $0.handle == handle }) else { continue }
      end(transfer, transfer.end(code))
    }
  }

  /// Our own timer: the library's averages speed over many seconds. Returns the milliseconds until it must look again.
  private func endSilentTransfers(now: ContinuousClock.Instant) -> Int32 {
    var soonest: Int64 = 60_000
    for transfer in transfers.values {
      let left = transfer.lastSign.advanced(by: .milliseconds(transfer.silenceMilliseconds)) - now
      if left <= .zero {
        end(transfer, .failed(HTTPFailure(kind: .silent, detail: "no byte for \(transfer.silenceMilliseconds) ms")))
      } else {
        soonest = min(soonest, Int64(left / .milliseconds(1)) + 1)
      }
    }
    return Int32(soonest)
  }

  private func end(_ transfer: HTTPTransfer, _ end: HTTPEnd) {
    transfers[transfer.id] = nil
    curl_multi_remove_handle(multi, transfer.handle)
    transfer.free()
    transfer.receive(.ended(end))
  }
}
