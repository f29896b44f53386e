import EventLog
import Events
import Simulation

/// What one life of a peer has for a disk: what is written is there after a crash, and nothing else; from the crash on
/// nothing more is.
final class SimulatedStore: EventLog {
  /// What is on the disk, whichever life wrote it.
  let disk: MemoryEventLog
  private let watcher: @Sendable ([RoomChange]) -> Void
  // SAFETY: touched on the machine's thread alone.
  nonisolated(unsafe) var isCut = false
  // SAFETY: as the other. Whether the disk has no space at present.
  nonisolated(unsafe) var isFull = false

  /// - Parameter watcher: is told what has just become durable.
  init(_ disk: MemoryEventLog, watcher: @escaping @Sendable ([RoomChange]) -> Void) {
    self.disk = disk
    self.watcher = watcher
  }

  private func check() throws(LogError) {
    if unsafe isCut { throw .stopped("the machine has crashed") }
    if unsafe isFull { throw .full("the simulated disk is full") }
  }

  func write(_ changes: [RoomChange], clocks: [StoredClock]) throws(LogError) {
    try check()
    try disk.write(changes, clocks: clocks)
    watcher(changes)
  }

  func forget(_ rooms: [ForgottenRoom]) throws(LogError) {
    try check()
    try disk.forget(rooms)
  }

  var network: NetworkID { disk.network }
  func rooms(limit: Int?) throws(LogError) -> [RoomListing] { try disk.rooms(limit: limit) }
  func rooms(of tournament: RoomID) throws(LogError) -> [RoomListing] { try disk.rooms(of: tournament) }
  func room(prefix: String) throws(LogError) -> RoomID { try disk.room(prefix: prefix) }

  func read(
    _ room: RoomID, verify: Bool, _ body: EventBody, byPosition: PositionBody
  ) throws(LogError) {
    try disk.read(room, verify: verify, body, byPosition: byPosition)
  }

  func storedRooms(from number: UInt64, limit: Int) throws(LogError) -> [StoredRoom] {
    try disk.storedRooms(from: number, limit: limit)
  }

  func forgottenRooms() throws(LogError) -> [ForgottenRoom] { try disk.forgottenRooms() }
}
