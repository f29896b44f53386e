package import Events

/// Reads a tournament's file room by room and checks all of it in one pass, from a file or a pipe.
package final class TournamentFileReader {
  /// The network that the file says it belongs to.
  package let network: NetworkID
  /// The rooms that it says it holds, the tournament's first.
  package let rooms: [RoomID]

  private let pieces: PieceSource
  private let limits: Bundle.Limits
  private let scheme: any SignatureScheme
  private var read = 0
  private var order: TournamentFileOrder?
  private var last: TournamentFileOrder.Place?
  private var isOver = false

  /// Reads and checks the heading.
  convenience init(
    network: NetworkID?, limits: Bundle.Limits, scheme: any SignatureScheme, pieces: PieceSource
  ) throws(BundleError) {
    let heading = try Self.readHeading(pieces)
    if let network, heading.network != network { throw .otherNetwork(heading.network) }
    self.init(network: heading.network, rooms: heading.rooms, limits, scheme, pieces)
  }

  private init(
    network: NetworkID, rooms: [RoomID], _ limits: Bundle.Limits, _ scheme: any SignatureScheme,
    _ pieces: PieceSource
  ) {
    (self.network, self.rooms, self.limits, self.scheme, self.pieces) = (
      network, rooms, limits, scheme, pieces
    )
  }

  private static func readHeading(
    _ pieces: PieceSource
  ) throws(BundleError) -> (network: NetworkID, rooms: [RoomID]) {
    let magic = try pieces.take(TournamentFile.magic.count)
    guard magic == TournamentFile.magic else { throw .otherForm(Int(magic.last ?? 0x30) - 0x30) }
    let network = NetworkID(try readHash(pieces))
    let count = try pieces.take(4).reduce(0) { $0 << 8 | Int($1) }
    guard count > 0 else { throw .badRooms("it names no room") }
    guard count <= TournamentFile.limitRooms else { throw .limit("\(count) rooms") }
    var rooms: [RoomID] = []
    // One by one, so that a great number of them costs nothing before they come.
    for _ in 0..<count { rooms.append(RoomID(try readHash(pieces))) }
    guard Set(rooms).count == rooms.count else { throw .badRooms("it names a room twice") }
    return (network, rooms)
  }

  private static func readHash(_ pieces: PieceSource) throws(BundleError) -> Bytes32 {
    guard let hash = Bytes32(try pieces.take(32)) else { throw .fileEnds(at: pieces.offset) }
    return hash
  }

  /// The next room, checked to its end; `nil` when all were read and the file ends there.
  ///
  /// After an error in a room's bundle, `.part`, it can be called again for the room behind it; not after an error in
  /// the tournament's own, nor where the file ends.
  package func next() throws(BundleError) -> BundleContent? {
    guard !isOver else { return nil }
    guard try begin() else { return nil }
    let number = read
    read += 1
    let error: BundleError
    do throws(BundleError) { return try readPart(number) } catch let found { error = found }
    switch error {
    case .fileEnds, .inputOutput: isOver = true
    default:
      isOver = number == 0
      throw .part(rooms[number], number: number + 1, error)
    }
    throw error
  }

  /// Goes to the next room's bundle.
  /// - Returns: whether there is one.
  private func begin() throws(BundleError) -> Bool {
    // What is left to read of a bad one.
    let begun = isOver
    isOver = true
    while pieces.left > 0 { _ = try pieces.some() }
    guard read < rooms.count else {
      try finish()
      return false
    }
    pieces.begin(try pieces.take(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    isOver = begun
    return true
  }

  private func finish() throws(BundleError) {
    isOver = true
    guard try pieces.first(1).isEmpty else {
      throw .badRooms("there are bytes after the file's last room, at byte \(pieces.offset)")
    }
  }

  private func readPart(_ number: Int) throws(BundleError) -> BundleContent {
    let pieces = pieces
    let reader = try BundleReader(network: network, limits: limits, scheme: scheme) {
      () throws(BundleError) in
      try pieces.some()
    }
    guard reader.room == rooms[number] else {
      throw .badRooms("here is room \(reader.room.short), which the heading does not name in this place")
    }
    let content = try BundleContent(reader)
    try checkPlace(of: content)
    return content
  }

  /// Whether a room belongs to the tournament, and behind those before it.
  private func checkPlace(of content: BundleContent) throws(BundleError) {
    if let order {
      guard let place = content.entries.first.flatMap({ order.place(of: $0.event) }) else {
        throw .badRooms("it has no part in the tournament: it was not made for it, and no result names it")
      }
      if let last, place <= last { throw .badRooms("it stands behind a room that belongs behind it") }
      last = place
    } else {
      order = TournamentFileOrder(content.entries.map(\.event))
      if order == nil { throw .badRooms("it is no tournament") }
    }
  }
}
