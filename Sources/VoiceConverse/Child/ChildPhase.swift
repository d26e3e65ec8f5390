/// How far the child process of a `ChildSession` is.
enum ChildPhase: Equatable {
  /// No child. Exits: `launching` (open, a run).
  case down
  /// The child is being started. Exits: `opening` (it runs), `down` (it could not be started).
  case launching
  /// The dialect opens a session. Exits: `ready`, `ending` (it cannot, or the deadline), `down` (the child died).
  case opening
  /// Exits: `ending` (its output is over, or it broke the protocol), `down`.
  case ready
  /// The child is being ended; runs that come now wait for the next one. Exits: `down`.
  case ending
  /// The program ends, and nothing is started any more. No exit.
  case over
}
