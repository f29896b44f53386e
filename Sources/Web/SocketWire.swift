/// What carries the messages of one socket: the library's connection, or a simulated one. To be used on the loop's
/// thread.
package protocol SocketWire: AnyObject {
  /// Whether it takes nothing more at present.
  var isChoked: Bool { get }
  /// Has `WebSocket.write` called as soon as it takes something.
  func wake()
  /// Sends a text message.
  /// - Returns: whether it is still there.
  func send(_ message: [UInt8]) -> Bool
  /// Tells the client why the socket is closed; a client that does not answer is cut off.
  /// - Returns: whether it is still there.
  func sendClose(_ code: WebSocket.CloseCode, _ reason: [UInt8]) -> Bool
  /// Cuts the client off after a while, whatever it has been told by then.
  func cutOff(afterSeconds: UInt16)
}
