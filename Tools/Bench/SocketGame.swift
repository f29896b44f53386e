import Glibc
import Terminal

/// Two clients of the real program's sockets who play Connect Four, one game after the other, and others who look on.
final class SocketGame {
  /// Where a table stands.
  struct Place: Comparable {
    let game: Int
    let plies: Int

    static func < (a: Place, b: Place) -> Bool { (a.game, a.plies) < (b.game, b.plies) }
  }

  /// What a client may send in the long run is eight messages a second (Docs/SOCKET.md). Who sends more is closed.
  private static let pauseSeconds = 0.13

  private let server: OtherProcess
  let clients: SocketClients
  let players: [Int]
  private(set) var watchers: [Int] = []
  private let code: JSONValue
  /// The newest table of each player, and when it may send again.
  private var tables: [Int: JSONValue] = [:]
  private var mayAsk: [Int: Double] = [:]
  /// Where each client was told last that the game stands.
  private var places: [Int: Place] = [:]
  /// What was told last of a table, so that the same bytes are read once.
  private var last: (text: [UInt8], place: Place)?
  private var moves = 0

  /// Starts the server on a new data folder, and a series of as many games as a room may have.
  init(in folder: String) throws {
    server = try OtherProcess(.web, [folder])
    clients = try SocketClients(port: UInt16(try server.numbers("port", 1)[0]))
    players = [try clients.open(), try clients.open()]
    for player in players { _ = try clients.ask(player, [JSONMember("type", "hello"), JSONMember("id", 1)]) }
    let table = try clients.ask(
      players[0],
      [
        JSONMember("type", "host"), JSONMember("id", 2), JSONMember("game", "connect-four"),
        JSONMember("games", 256), JSONMember("seat", "first"),
      ])
    guard let code = table["code"] else { throw BenchFailure(.software, "the server gave no code") }
    self.code = code
    try clients.send(
      players[1], [JSONMember("type", "join"), JSONMember("id", 3), JSONMember("room", code)])
    while try mover() == nil { try take(try clients.next()) }
  }

  /// Lets the server end.
  func end() throws { try server.end() }

  /// Kilobytes that the server has of its own; 0 where the system does not tell.
  func memory() throws -> Double {
    try server.order("memory")
    return try server.numbers("memory", 1)[0]
  }

  /// Opens sockets that look on, until each has been told of the table.
  func watch(_ count: Int) throws {
    for _ in 0..<count {
      let watcher = try clients.open()
      try clients.send(
        watcher, [JSONMember("type", "watch"), JSONMember("id", 1), JSONMember("room", code)])
      watchers.append(watcher)
      // Who does not answer pings for 20 seconds is cut off, however long it takes to open the others.
      while let heard = try clients.next(within: 0) { try take(heard) }
    }
    try wait { self.watchers.allSatisfy { self.places[$0] != nil } }
  }

  /// Plays a move, and waits until these clients were told of it.
  /// - Returns: the seconds from before the request was sent until the last of them had read the table.
  func move(seenBy others: (_ mover: Int) -> [Int]) throws -> Double {
    var mover: Int?
    try wait {
      mover = try self.mover()
      return mover != nil
    }
    guard let mover, let table = tables[mover], let place = Self.place(table),
      let moves = table["moves"]?.array, !moves.isEmpty,
      let choice = moves[self.moves * 7 % moves.count]["code"]
    else { throw BenchFailure(.software, "a table has no moves") }
    self.moves += 1
    let pause = (mayAsk[mover] ?? 0) - Span.clockSeconds
    if pause > 0 { usleep(UInt32(pause * 1e6)) }
    let waiting = others(mover)
    var (left, seen) = (Set(waiting.filter { places[$0].map { $0 <= place } ?? true }), 0.0)
    let start = Span.clockSeconds
    mayAsk[mover] = start + Self.pauseSeconds
    try clients.send(
      mover,
      [
        JSONMember("type", "choose"), JSONMember("id", .integer(Int64(10 + self.moves))),
        JSONMember("room", code),
        JSONMember("code", choice), JSONMember("number", .integer(Int64(place.game))),
        JSONMember("plies", .integer(Int64(place.plies))),
      ])
    while !left.isEmpty {
      let heard = try clients.next()
      try take(heard)
      if let now = places[heard.socket], now > place, left.remove(heard.socket) != nil {
        seen = heard.seconds
      }
    }
    return seen - start
  }

  private func wait(until holds: () throws -> Bool) throws {
    while try !holds() { try take(try clients.next()) }
  }

  /// The player whose turn it is, by the newest tables.
  private func mover() throws -> Int? {
    players.first { player in
      guard let table = tables[player], Self.place(table) == places.values.max() else { return false }
      return table["may"]?.array?.contains("choose") ?? false
    }
  }

  /// Takes in what a client was told.
  private func take(_ heard: SocketClients.Heard) throws {
    if let last, last.text == heard.text {
      places[heard.socket] = last.place
      return
    }
    let value = try heard.value()
    if value["type"]?.string == "error" {
      throw BenchFailure(.software, "a socket was refused: \(String(decoding: heard.text, as: UTF8.self))")
    }
    guard value["type"]?.string == "table", let table = value["table"] else { return }
    guard let place = Self.place(table) else { return }
    places[heard.socket] = place
    if players.contains(heard.socket) { tables[heard.socket] = table } else { last = (heard.text, place) }
  }

  private static func place(_ table: JSONValue) -> Place? {
    guard case .integer(let number)? = table["number"], let plies = table["plies"]?.array else { return nil }
    return Place(game: Int(number), plies: plies.count)
  }
}
