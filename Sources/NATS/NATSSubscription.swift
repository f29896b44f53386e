internal import CNATS
import Glibc
internal import Platform

/// What becomes of a connection while somebody listens.
package enum NATSConnectionNews: Hashable, Sendable {
  /// It broke; the library makes it again.
  case isAway
  /// It is there again. What was sent meanwhile is lost.
  case isBack
  /// A server has refused it, and it is not made again.
  case isClosed
}

/// What comes to a subject, until it is stopped: on a thread of its own, which asks the library for one message after
/// the other, so that nothing of this process is called by threads of the library.
@safe
package final class NATSSubscription: Sendable {
  private let isOver = Guarded(false)

  /// How often it looks whether it is to stop, and how the connection stands.
  private static let lookMilliseconds: UInt64 = 250

  /// Listens.
  /// - Parameters:
  ///   - limit: how many messages or bytes may wait; beyond, the newest are lost.
  ///   - report: is told what becomes of the connection; `nil` where another subscription's is.
  ///   - receive: gets the messages; both are called on the subscription's thread.
  package init(
    _ connection: NATSConnection, _ subject: String, limit: Int,
    report: (@Sendable (NATSConnectionNews) -> Void)? = nil,
    receive: @escaping @Sendable ([UInt8]) -> Void
  ) throws(NATSError) {
    let handle = unsafe Handle(try connection.subscribe(subject, limit: limit))
    WorkThread().add { [isOver] in
      var watch = report.map { Watch(connection, $0) }
      while !isOver.withLock({ $0 }) {
        let message = handle.next(waitMilliseconds: Int64(Self.lookMilliseconds))
        // What comes over a connection shows that it is there, and who hears of both hears of that first.
        watch?.look(isAtOnce: message != nil)
        if let message { receive(message) }
      }
      handle.close()
    }
  }

  /// Ends it, soon.
  package func stop() { isOver.withLock { $0 = true } }

  deinit { stop() }

  /// The library's subscription.
  @safe private struct Handle: Sendable {
    // SAFETY: used by the subscription's thread alone, which closes it; the connection lives as long.
    nonisolated(unsafe) private let pointer: UnsafeMutableRawPointer

    init(_ pointer: UnsafeMutableRawPointer) { unsafe self.pointer = unsafe pointer }

    func next(waitMilliseconds: Int64) -> [UInt8]? {
      var message = unsafe parlor_nats_message()
      // SAFETY: the subscription is open until `close`.
      let code = unsafe parlor_nats_next(pointer, waitMilliseconds, &message)
      guard code == 0 else {
        // One that is out of use, or has lost something, says so at once.
        if NATSConnection.text(code) != "Timeout" { usleep(20_000) }
        return nil
      }
      // SAFETY: what the message points to lives until it is freed.
      defer { unsafe parlor_nats_free(&message) }
      return unsafe Array(UnsafeRawBufferPointer(start: message.data, count: Int(message.length)))
    }

    // SAFETY: nobody uses it any more.
    func close() { unsafe parlor_nats_unsubscribe(pointer) }
  }

  /// Looks how a connection stands.
  private struct Watch {
    private let connection: NATSConnection
    private let report: (NATSConnectionNews) -> Void
    private var state = Int32(PARLOR_NATS_CONNECTED)
    private var reconnections: UInt64 = 0
    private var next = MonotonicClock.milliseconds

    init(_ connection: NATSConnection, _ report: @escaping (NATSConnectionNews) -> Void) {
      self.connection = connection
      self.report = report
    }

    /// - Parameter isAtOnce: it is not waited until the next look is due.
    mutating func look(isAtOnce: Bool) {
      let now = MonotonicClock.milliseconds
      guard now >= next || isAtOnce else { return }
      next = now + NATSSubscription.lookMilliseconds
      let found = connection.state
      defer { (state, reconnections) = found }
      switch Int(found.state) {
      case PARLOR_NATS_CONNECTED:
        // It may have broken and been made again since the last look.
        if state == PARLOR_NATS_CONNECTED, found.reconnections != reconnections { report(.isAway) }
        if found.reconnections != reconnections || state != PARLOR_NATS_CONNECTED { report(.isBack) }
      case PARLOR_NATS_CLOSED: if state != PARLOR_NATS_CLOSED { report(.isClosed) }
      default: if state == PARLOR_NATS_CONNECTED { report(.isAway) }
      }
    }
  }
}

extension NATSConnection {
  fileprivate func subscribe(_ subject: String, limit: Int) throws(NATSError) -> UnsafeMutableRawPointer {
    var made: UnsafeMutableRawPointer?
    // SAFETY: the connection is open while `self` lives, and the text through the call.
    let code = unsafe parlor_nats_subscribe(&made, handle, subject, Int32(clamping: limit))
    guard code == 0, let made = unsafe made else { throw Self.error(code, subject) }
    return unsafe made
  }

  fileprivate var state: (state: Int32, reconnections: UInt64) {
    var reconnections: UInt64 = 0
    // SAFETY: the connection is open while `self` lives.
    let state = unsafe parlor_nats_state(handle, &reconnections)
    return (state, reconnections)
  }
}
