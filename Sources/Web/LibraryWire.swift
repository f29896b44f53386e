internal import CWebSockets

/// The library's connection to one client.
@safe final class LibraryWire: SocketWire {
  // SAFETY: the library keeps the handle until it has said that it is closed, and from then on the socket has no wire.
  private let handle: OpaquePointer

  private static let farewellSeconds: Int32 = 3

  init(_ handle: OpaquePointer) { unsafe self.handle = handle }

  var isChoked: Bool { unsafe lws_send_pipe_choked(handle) != 0 }

  func wake() { unsafe _ = lws_callback_on_writable(handle) }

  func send(_ message: [UInt8]) -> Bool { write(message, LWS_WRITE_TEXT) }

  func sendClose(_ code: WebSocket.CloseCode, _ reason: [UInt8]) -> Bool {
    let number = code.rawValue
    let content = [UInt8(number >> 8), UInt8(number & 0xFF)] + reason
    guard write(content, lws_write_protocol(parlor_lws_write_close)) else { return false }
    unsafe lws_set_timeout(handle, PENDING_TIMEOUT_CLOSE_ACK, Self.farewellSeconds)
    return true
  }

  func cutOff(afterSeconds seconds: UInt16) {
    unsafe lws_set_timeout(handle, PENDING_TIMEOUT_CLOSE_SEND, Int32(seconds))
  }

  private func write(_ content: [UInt8], _ kind: lws_write_protocol) -> Bool {
    let room = Int(parlor_lws_pre)
    var bytes = [UInt8](repeating: 0, count: room) + content
    return unsafe bytes.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return false }
      // SAFETY: the library writes its header into the room before the content.
      return unsafe lws_write(handle, base + room, content.count, kind) >= 0
    }
  }
}
