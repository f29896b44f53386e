/// What runs a loop's jobs and tells its time: a thread that waits for sockets, or a machine that is simulated.
package protocol LoopDriver: AnyObject, Sendable {
  /// Whether this is where the jobs run.
  var isCurrent: Bool { get }
  /// Milliseconds of a clock that only goes forward.
  var now: UInt64 { get }
  /// How often it has gone round; to be read where the jobs run.
  var turns: Int { get }
  /// Runs a job soon; to be called anywhere.
  func add(_ job: LoopJob)
  /// Calls `body` soon; to be called where the jobs run.
  func addDeferred(_ body: @escaping () -> Void, _ loop: EventLoop)
  /// Calls `body` when all else that is there now was looked at; to be called where the jobs run.
  func addForNextTurn(_ body: @escaping () -> Void, _ loop: EventLoop)
  /// A timer that calls `fire`.
  func timer(_ loop: EventLoop, _ fire: @escaping () -> Void) -> any LoopTimer
  /// Nobody refers to the loop any more.
  func end()
}

/// What a loop has to do.
package struct LoopJob {
  package enum Work {
    case job(UnownedJob)
    case body(@Sendable () -> Void)
  }

  package let work: Work
  package let loop: EventLoop
}

/// A timer on a loop: calls one function when a moment has come. To be used on the loop's thread, and closed.
package protocol LoopTimer: AnyObject {
  /// Calls at this moment of the loop's clock and at none that was set before; `nil` calls at none.
  func set(_ deadline: UInt64?)
  func close()
}
