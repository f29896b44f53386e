import CFloor
import Platform
import Terminal

/// Many clients of `parlor.1` in this process, which one thread serves.
@safe final class SocketClients {
  /// A message that one of them has got.
  struct Heard {
    let socket: Int
    let text: [UInt8]
    /// When its last byte was read, in seconds of the clock that all processes share.
    let seconds: Double

    /// What it says.
    func value() throws -> JSONValue { try JSONValue(parsing: text) }
  }

  /// How long a message may take that must come.
  private static let limitMilliseconds: Int32 = 600_000

  // SAFETY: made in `init`, closed in `deinit`, and used by whoever has this object, one call after the other.
  private var all: OpaquePointer?

  /// No client yet, of the server at this port.
  init(port: UInt16) throws {
    CurrentProcess.raiseDescriptorLimit()
    let code = unsafe floor_sockets_make(&all, port, "/game", "parlor.1")
    do throws(BenchFailure) { try Self.check(code) } catch {
      unsafe floor_sockets_close(all)
      throw error
    }
  }

  private static func check(_ code: Int32) throws(BenchFailure) {
    do throws(FloorError) { try FloorError.check(code) } catch {
      throw BenchFailure(.software, "clients of sockets: \(error.words)")
    }
  }

  deinit { unsafe floor_sockets_close(all) }

  /// Opens one more.
  /// - Returns: its number, from 0.
  func open() throws -> Int {
    var number: UInt32 = 0
    try Self.check(unsafe floor_sockets_open(all, &number))
    return Int(number)
  }

  /// Sends a request.
  func send(_ socket: Int, _ members: [JSONMember]) throws {
    let text = Array(JSONLine(members).text.utf8)
    // SAFETY: the call reads the text that it is lent.
    try Self.check(unsafe floor_sockets_send(all, UInt32(socket), text, text.count))
  }

  /// The next message of any of them.
  func next() throws -> Heard {
    guard let heard = try next(within: Self.limitMilliseconds) else {
      throw BenchFailure(
        .software, "no socket was told anything in \(Self.limitMilliseconds / 1_000) seconds")
    }
    return heard
  }

  /// The next message of any of them; `nil` when none comes in so many milliseconds.
  func next(within milliseconds: Int32) throws -> Heard? {
    var heard = unsafe floor_heard()
    try Self.check(unsafe floor_sockets_next(all, milliseconds, &heard))
    let socket = unsafe heard.socket
    guard socket != .max else { return nil }
    // SAFETY: the text is there until the next call.
    let text = unsafe Array(UnsafeBufferPointer(start: heard.text, count: heard.bytes))
    return Heard(socket: Int(socket), text: text, seconds: unsafe heard.seconds)
  }

  /// The next message of one of them that is as wanted; others are left out.
  func next(of socket: Int, until isWanted: (JSONValue) throws -> Bool) throws -> JSONValue {
    while true {
      let heard = try next()
      guard heard.socket == socket else { continue }
      let value = try heard.value()
      if case .string("error")? = value["type"] {
        throw BenchFailure(.software, "a socket was refused: \(String(decoding: heard.text, as: UTF8.self))")
      }
      if try isWanted(value) { return value }
    }
  }

  /// Sends a request, and waits for its answer.
  func ask(_ socket: Int, _ members: [JSONMember]) throws -> JSONValue {
    try send(socket, members)
    return try next(of: socket) { $0["type"]?.string == "done" }
  }
}
