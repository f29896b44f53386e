internal import Events
internal import JSON
internal import Network
internal import Projection
internal import Service

// Rooms as files, in pieces that messages take.

extension TableSockets {
  /// The most bytes of a file, of all files that are held, and of a piece of one.
  static let (limitFileBytes, limitFilesBytes, limitPieceBytes) = (8 << 20, 64 << 20, 96 << 10)
  /// How many files may be made of rooms, and games be looked at, a minute for all clients.
  static let allFilesPerMinute = 120

  /// A piece of the file of a room, from a byte on. The first one has the file made, so that all are of one state.
  func export(_ state: RoomState, from start: Int, _ client: TableClient) async throws(ServiceError)
    -> [JSONMember]
  {
    let (room, owner) = (state.room, client.socket.number)
    let bytes: [UInt8]
    if start == 0 {
      guard client.files.take(at: loop.now), allFiles.take(at: loop.now) else {
        throw .refused("many files were asked for; try again in a minute")
      }
      bytes = try await service.store.bundle(
        of: room, isTournament: state.isTournament, limitBytes: Self.limitFileBytes)
      // Nobody would let go of it when the client has gone meanwhile.
      if clients[owner] != nil { held.hold(bytes, room, for: owner) }
    } else {
      guard let file = held.file(room, of: owner) else {
        throw .refused("that file is held no more: ask for it from 0 again")
      }
      bytes = file
    }
    guard start < bytes.count else { throw .refused("that file has \(bytes.count) bytes") }
    let piece = bytes[start...].prefix(Self.limitPieceBytes)
    if piece.endIndex == bytes.count { held.drop(owner) }
    return room.members + [
      JSONMember("bytes", .integer(Int64(bytes.count))), JSONMember("from", .integer(Int64(start))),
      JSONMember("content", .string(Base64.text(piece))),
    ]
  }
}
