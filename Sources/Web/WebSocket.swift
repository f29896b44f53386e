internal import CWebSockets
internal import Network

/// One client of a server of sockets. To be used on the loop's thread.
@safe final class WebSocket {
  /// Told apart by it; a number is never used again.
  let number: Int
  let subprotocol: WebServer.Subprotocol
  /// Where its client is, in numbers.
  let address: String
  /// What the library knows it by; `nil` once it is closed.
  private var handle: OpaquePointer?
  private let loop: EventLoop
  private let limitQueuedBytes: Int
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

  /// Why a socket is closed (RFC 6455, 7.4.1).
  enum CloseCode: UInt32 {
    case goingAway = 1001
    case unsupported = 1003
    case policy = 1008
    case tooBig = 1009
    case tryLater = 1013
  }

  init(
    _ handle: OpaquePointer, _ subprotocol: WebServer.Subprotocol, number: Int, address: String,
    _ settings: WebSettings, _ loop: EventLoop,
    parted: @escaping () -> Void
  ) {
    unsafe self.handle = handle
    self.subprotocol = subprotocol
    self.number = number
    self.address = address
    self.loop = loop
    limitQueuedBytes = settings.limitQueuedBytes
    limitFarewellSeconds = settings.limitSilenceSeconds
    self.parted = parted
  }

  /// Whether anything that is sent still goes.
  var isOpen: Bool { unsafe handle != nil && farewell == nil }

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
      wake()
    }
  }

  /// Whether more could have been sent than was: what was made in the same turn of the loop, however much, waits for no
  /// client yet. The loop may be between two turns.
  private var hasHadItsTurn: Bool { outbox.first.map { $0.turn + 1 < loop.turns } ?? false }

  /// Closes it, after what was sent has gone. A client that takes nothing more is cut off after a while.
  func close(_ code: CloseCode, _ reason: String) {
    guard let handle = unsafe handle, farewell == nil else { return }
    farewell = (code, reason)
    unsafe lws_set_timeout(handle, PENDING_TIMEOUT_CLOSE_SEND, Int32(limitFarewellSeconds))
    wake()
    parted()
  }

  /// Notes that it is gone.
  func noteClosed() {
    unsafe handle = nil
    outbox = []
  }

  private func wake() {
    // SAFETY: the library keeps the handle until it has said that it is closed.
    if let handle = unsafe handle { unsafe _ = lws_callback_on_writable(handle) }
  }

  /// Takes a piece of a message.
  /// - Returns: the message when it is whole; `nil` also for one that is too long, after which the socket is closed.
  func take(_ piece: UnsafeRawBufferPointer, limitBytes: Int) -> [UInt8]? {
    guard let handle = unsafe handle, isOpen else { return nil }
    guard pieces.count + piece.count <= limitBytes else {
      close(.tooBig, "a message has at most \(limitBytes) bytes")
      return nil
    }
    unsafe pieces.append(contentsOf: piece)
    guard unsafe lws_is_final_fragment(handle) != 0, unsafe lws_remaining_packet_payload(handle) == 0 else {
      return nil
    }
    defer { pieces = [] }
    return pieces
  }

  /// The library can take a message.
  /// - Returns: what it is to be told: 0 to go on, -1 to close.
  func write() -> Int32 {
    guard let handle = unsafe handle, !hasTakenLeave else { return 0 }
    guard outbox.isEmpty else {
      repeat {
        let (message, _) = outbox.removeFirst()
        queuedBytes -= message.count
        guard unsafe write(message, LWS_WRITE_TEXT, handle) else { return -1 }
      } while unsafe !outbox.isEmpty && lws_send_pipe_choked(handle) == 0
      wake()
      return 0
    }
    guard let (code, reason) = farewell else { return 0 }
    hasTakenLeave = true
    let number = code.rawValue
    let content =
      [UInt8(number >> 8), UInt8(number & 0xFF)] + Array(reason.utf8.prefix(Self.limitReasonBytes))
    guard unsafe write(content, lws_write_protocol(parlor_lws_write_close), handle) else { return -1 }
    // A client that does not answer is cut off.
    unsafe lws_set_timeout(handle, PENDING_TIMEOUT_CLOSE_ACK, Self.farewellSeconds)
    return 0
  }

  /// Of the 125 bytes that a frame of control holds two are the code.
  private static let limitReasonBytes = 123
  private static let farewellSeconds: Int32 = 3

  private func write(_ content: [UInt8], _ kind: lws_write_protocol, _ handle: OpaquePointer) -> Bool {
    let room = Int(parlor_lws_pre)
    var bytes = [UInt8](repeating: 0, count: room) + content
    return unsafe bytes.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return false }
      // SAFETY: the library writes its header into the room before the content.
      return unsafe lws_write(handle, base + room, content.count, kind) >= 0
    }
  }
}
