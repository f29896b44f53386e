import Foundation
import TestKit
import Testing

// What clients of `parlor.1` ask, and what they are told.

extension SocketTests.Clients {
  /// - Parameter order: how it is opened, as `sockets.py` has it.
  func openTables(_ name: String, by order: String = "open") throws {
    try say("\(order) \(name) parlor.1")
    try wait(name, "open parlor.1")
  }

  func ask(_ name: String, _ request: String) throws { try say("send \(name) \(request)") }

  /// Sends a request with these members.
  func ask(_ name: String, _ type: String, _ id: Int, _ members: String = "") throws {
    try ask(name, Self.request(type, id, members))
  }

  /// A request as it is sent.
  static func request(_ type: String, _ id: Int, _ members: String = "") -> String {
    "{\"type\":\"\(type)\",\"id\":\(id)\(members.isEmpty ? "" : ",")\(members)}"
  }

  /// Opens a socket, says hello, and waits for the answer to it, request 1.
  @discardableResult func greet(_ name: String, _ members: String = "", by order: String = "open") throws
    -> [String: Any]
  {
    try openTables(name, by: order)
    try ask(name, "hello", 1, members)
    return try answer(name, 1)
  }

  /// The messages that a client got.
  func objects(_ name: String) throws -> [[String: Any]] {
    try Self.objects(try lines(name))
  }

  private static func objects(_ lines: [String]) throws -> [[String: Any]] {
    try lines.filter { $0.hasPrefix("< ") }.compactMap { line in
      try JSONSerialization.jsonObject(with: Data(line.dropFirst(2).utf8)) as? [String: Any]
    }
  }

  /// Waits for a message of a client.
  @discardableResult func wait(
    _ name: String, _ what: String, until holds: @escaping ([String: Any]) -> Bool
  ) throws -> [String: Any] {
    var found: [String: Any]?
    try run.wait(for: "\(what) of \(name)", pollMicroseconds: 20_000) {
      let lines = try lines(name)
      found = try Self.objects(lines).first(where: holds)
      if found == nil { try Self.checkIsOpen(name, lines, what) }
      return found != nil
    }
    return try #require(found)
  }

  /// The answer to a request.
  func answer(_ name: String, _ id: Int) throws -> [String: Any] {
    try wait(name, "the answer to \(id)") {
      ["done", "error"].contains($0["type"] as? String) && $0["id"] as? Int == id
    }
  }

  /// Waits for a tournament.
  @discardableResult func tournament(
    _ name: String, _ what: String, until holds: @escaping ([String: Any]) -> Bool
  ) throws -> [String: Any] {
    let message = try wait(name, what) { ($0["tournament"] as? [String: Any]).map(holds) ?? false }
    return try #require(message["tournament"] as? [String: Any])
  }

  /// Waits for a table.
  func table(_ name: String, _ what: String, until holds: @escaping ([String: Any]) -> Bool) throws {
    try wait(name, what) { ($0["table"] as? [String: Any]).map(holds) ?? false }
  }
}
