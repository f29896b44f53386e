package import Network

/// One client of a server of sockets. To be used on the loop's thread.
package final class WebSocket {
  /// What happened at a socket.
  package enum Event {
    case opened(WebSocket)
    case received(WebSocket, [UInt8])
    case closed(WebSocket)

    var socket: WebSocket {
      switch self {
      case .opened(let socket), .received(let socket, _), .closed(let socket): socket
      }
    }
  }

  /// What is spoken through a socket.
  package enum Subprotocol: String, CaseIterable {
    case ticTacToe = "tictactoe"
    case tables = "parlor.1"

    /// Whether messages may come in binary frames as well: the published client sends its texts so.
    var takesBinary: Bool { self == .ticTacToe }
  }

  /// Why a socket is closed (RFC 6455, 7.4.1).
  package enum CloseCode: UInt32 {
    case goingAway = 1001
    case unsupported = 1003
    case policy = 1008
    case tooBig = 1009
    case tryLater = 1013
  }

  /// Told apart by it; a number is never used again.
  let number: Int
  let subprotocol: Subprotocol
  /// Where its client is, in numbers.
  let address: String
  /// What carries it; `nil` once it is closed.
  private var wire: (any SocketWire)?
  private let loop: EventLoop
  private let (limitMessageBytes, limitQueuedBytes): (Int, Int)
  /// How long it may take to be told why it is closed, in seconds; then it is cut off.
  private let limitFarewellSeconds: UInt16
  /// Told when it is to be closed: from then on its client is gone.
  private let parted: () -> Void
  /// What waits to be sent, and since which turn of the loop.
  private var outbox: [(message: [UInt8], turn: Int)] = []
  private var queuedBytes = 0
  /// Pieces of a message whose end has not come.
  private var pieces: [UInt8] = []
  /// Why it is to be closed as soon as all was sent.
  private var farewell: (code: CloseCode, reason: String)?
  /// Whether it has been told so.
  private var hasTakenLeave = false

  /// - Parameter parted: told when it is to be closed, before its client knows.
  package init(
    _ wire: any SocketWire, _ subprotocol: Subprotocol, number: Int, address: String,
    _ settings: WebSettings, _ loop: EventLoop,
    parted: @escaping () -> Void
  ) {
    self.wire = wire
    self.subprotocol = subprotocol
    self.number = number
    self.address = address
    self.loop = loop
    (limitMessageBytes, limitQueuedBytes) = (settings.limitMessageBytes, settings.limitQueuedBytes)
    limitFarewellSeconds = settings.limitSilenceSeconds
    self.parted = parted
  }

  /// Whether anything that is sent still goes.
  var isOpen: Bool { wire != nil && farewell == nil }

  /// Sends a text message, behind those before. A client that does not read is closed.
  func send(_ text: String) { send(Array(text.utf8)) }

  /// Sends a text message, given as UTF-8; the bytes are shared, not copied, until they go. One message may be longer
  /// than all that may wait.
  func send(_ bytes: [UInt8]) {
    guard isOpen else { return }
    outbox.append((bytes, loop.turns))
    queuedBytes += bytes.count
    if queuedBytes > limitQueuedBytes, outbox.count > 1, hasHadItsTurn {
      outbox = []
      close(.policy, "it does not read what it is sent")
    } else {
      wire?.wake()
    }
  }

  /// Whether more could have been sent than was: what was made in the same turn of the loop, however much, waits for no
  /// client yet. The loop may be between two turns.
  private var hasHadItsTurn: Bool { outbox.first.map { $0.turn + 1 < loop.turns } ?? false }

  /// Closes it, after what was sent has gone. A client that takes nothing more is cut off after a while.
  func close(_ code: CloseCode, _ reason: String) {
    guard let wire, farewell == nil else { return }
    farewell = (code, reason)
    wire.cutOff(afterSeconds: limitFarewellSeconds)
    wire.wake()
    parted()
  }

  /// Notes that it is gone.
  package func noteClosed() {
    wire = nil
    outbox = []
  }

  /// Takes a piece of a message.
  /// - Parameter isLast: whether the message ends with it.
  /// - Returns: the message when it is whole; `nil` also for one that is too long, after which the socket is closed.
  package func take(_ piece: some Collection<UInt8>, isLast: Bool) -> [UInt8]? {
    guard isOpen else { return nil }
    guard pieces.count + piece.count <= limitMessageBytes else {
      close(.tooBig, "a message has at most \(limitMessageBytes) bytes")
      return nil
    }
    pieces.append(contentsOf: piece)
    guard isLast else { return nil }
    defer { pieces = [] }
    return pieces
  }

  /// The wire can take a message.
  /// - Returns: whether it goes on.
  package func write() -> Bool {
    guard let wire, !hasTakenLeave else { return true }
    guard outbox.isEmpty else {
      repeat {
        let (message, _) = outbox.removeFirst()
        queuedBytes -= message.count
        guard wire.send(message) else { return false }
      } while !outbox.isEmpty && !wire.isChoked
      wire.wake()
      return true
    }
    guard let (code, reason) = farewell else { return true }
    hasTakenLeave = true
    return wire.sendClose(code, Array(reason.utf8.prefix(Self.limitReasonBytes)))
  }

  /// Of the 125 bytes that a frame of control holds two are the code.
  private static let limitReasonBytes = 123
}
