import EventLog
import Events
import Network
import Service

// What is beside the log in a simulated data folder, and the commands on it.

/// The marks of a simulated data folder, which outlive crashes as the disk does.
final class SimulatedMarks: OwnHeadsKeeper {
  // SAFETY: touched on the machine's thread alone.
  nonisolated(unsafe) private var rooms: Set<RoomID>?

  /// - Parameter isImported: whether the folder has a key that came from elsewhere.
  init(isImported: Bool) { unsafe rooms = isImported ? [] : nil }

  var allowed: Set<RoomID>? { unsafe rooms }

  func noteDoubt() { unsafe rooms = [] }

  func noteAllowed(_ allowed: [RoomID]) { unsafe rooms?.formUnion(allowed) }

  func noteSharing() {}

  func checkPlace() {}
}

/// A command on a simulated data folder: it reads the log, and hands what it writes to the peer there.
struct SimulatedCommand: EventCommitter {
  private let service: PeerService
  private let number: Int

  /// - Parameter number: unlike that of any other command on the folder.
  init(_ service: PeerService, _ number: Int) {
    self.service = service
    self.number = number
  }

  func commit(_ changes: [RoomChange]) async throws(LogError) {
    let messages = changes.flatMap(\.messages)
    do throws(ServiceError) {
      for (at, bytes) in messages.enumerated() {
        try await service.take(bytes, isLast: at == messages.count - 1, from: number)
      }
    } catch { throw .store(error.description) }
  }

  func reserve(_ room: RoomID) async throws(LogError) {
    do throws(ServiceError) { try await service.reserve(room, for: number) } catch {
      throw .store(error.description)
    }
  }
}
