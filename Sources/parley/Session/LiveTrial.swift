import VoiceLocal
import VoiceVocabulary

/// What comes of a live model while it is tried, and of local speech where it needs that. It answers the setup at once,
/// whatever becomes of local speech, so both are waited for.
struct LiveTrial {
  /// What came of the live model; nil while that is not known.
  private(set) var link: Result<Void, Lack>?
  /// Parts of local speech that may still be loaded or fail.
  private var open: Set<SpeechPart>
  /// Why a part cannot be used, in the order in which that was told.
  private var lacks: [String] = []
  /// Why the speech engine ended last, where it did and was started again.
  private var restart: String?
  /// Whether nobody wants to know any more.
  private var isStopped = false

  /// - Parameter isLocal: whether it needs local speech.
  init(isLocal: Bool) { open = isLocal ? Set(SpeechPart.allCases) : [] }

  /// Take note of an event. Returns whether everything is known.
  mutating func take(_ event: VoiceEvent) -> Bool {
    switch event {
    case .linkReady: link = link ?? .success(())
    case .linkClosed(_, let failure): link = .failure(Lack(description: failure.reason))
    case .terminationRequested: isStopped = true
    case .speechEngineReported(let report): take(report)
    default: break
    }
    if case .failure = link { return true }
    return isStopped || (link != nil && open.isEmpty)
  }

  private mutating func take(_ report: SpeechEngineReport) {
    switch report {
    // A child that was started again loads everything anew.
    case .loading(let part): open.insert(part)
    case .ready(let part): open.remove(part)
    case .unavailable(let part, let reason):
      open.remove(part)
      if !lacks.contains(reason) { lacks.append(reason) }
    case .restarting(let reason):
      restart = reason
      lacks = []
    case .failed(let reason):
      open = []
      // Who reads it runs that command.
      lacks = [reason.hasSuffix(SpeechEngine.remedy) ? String(reason.dropLast(SpeechEngine.remedy.count)) : reason]
    case .working, .idle: break
    }
  }

  /// Why the live model counts as missing, at the end of the trial; nil where it answered.
  var linkLack: Lack? {
    switch link {
    case .success: nil
    case .failure(let lack): lack
    case nil:
      Lack(description: isStopped ? "Stopped." : "It did not answer the setup in \(Limits.trialMilliseconds / 1000) s.")
    }
  }

  /// What the user is told of local speech at the end of the trial, where it is needed.
  ///
  /// - Parameter problems: what went wrong beside the speech engine.
  func speech(_ problems: [String]) throws -> String {
    let lacks = lacks + problems
    guard lacks.isEmpty else { throw Lack(description: lacks.joinedAsSentences()) }
    guard linkLack == nil else { throw Lack(description: "It was not loaded, because the live model failed.") }
    guard open.isEmpty else {
      if isStopped { throw Lack(description: "Stopped.") }
      let reason = restart.map { ": \($0)" } ?? ""
      throw Lack(description: "It was not loaded in \(Limits.trialMilliseconds / 1000) s\(reason).")
    }
    let before = restart.map { ", but not at the first attempt: \($0)" } ?? ""
    return "recogniser and voice are loaded, and the models are whole" + before
  }
}
