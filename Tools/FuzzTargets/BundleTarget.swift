import EventLog
import Events
import Games
import Peer
import Projection

/// Any bytes as a bundle: refused, or taken into a log, played again, and exported the same.
enum BundleTarget {
  /// Takes any signature but all zero bytes, so that changed events get past the check.
  private struct LenientScheme: SignatureScheme {
    func isValid(_ signature: Signature, of id: EventID, by author: PeerID) -> Bool {
      signature.bytes.contains { $0 != 0 }
    }
  }

  static func run(_ bytes: [UInt8]) {
    guard let room = take(bytes, scheme: LenientScheme()) else { return }
    checkExport(of: room, bytes)
    RoomTarget.checkOrders(of: room.events)
    checkGames(of: room)
  }

  /// Reads a bundle into an empty log.
  /// - Returns: the room as the log gives it back, checked once more; `nil` when the bundle is refused.
  static func take(_ bytes: [UInt8], scheme: some SignatureScheme) -> RoomLog? {
    let log = MemoryEventLog(network: .standard, quotaBytes: 1 << 24, scheme: scheme)
    let piece = 16 + Int(bytes.last ?? 0)
    var at = 0
    do throws(BundleError) {
      let reader = try BundleReader(network: .standard, scheme: scheme) { () throws(BundleError) in
        let end = min(bytes.count, at + piece)
        defer { at = end }
        return Array(bytes[at..<end])
      }
      let taken = try log.take(reader)
      Fuzz.promise(taken.change != nil, "a bundle for an empty log brought nothing")
      return load(taken.room, from: log)
    } catch {
      _ = error.description
      // tidy: a failure to read counts as false
      let isEmpty = (try? log.rooms(limit: nil).isEmpty) ?? false
      Fuzz.promise(isEmpty, "a refused bundle left something behind")
      return nil
    }
  }

  private static func load(_ room: RoomID, from log: MemoryEventLog) -> RoomLog {
    do throws(LogError) { return try log.load(room, verify: true) } catch {
      Fuzz.fail("a bundle was taken that does not verify: \(error)")
    }
  }

  /// A room has one bundle only.
  static func checkExport(of room: RoomLog, _ bytes: [UInt8]) {
    Fuzz.promise(export(room) == bytes, "exported again, the bundle is another")
  }

  static func export(_ room: RoomLog) -> [UInt8] {
    var bytes: [UInt8] = []
    do throws(BundleError) {
      try BundleWriter(room, network: .standard).write { bytes += $0 }
    } catch { Fuzz.fail("a room that verifies cannot be exported: \(error)") }
    return bytes
  }

  /// The check that `log verify` makes of what seats and organizers signed.
  private static func checkGames(of room: RoomLog) {
    do throws(LogError) { _ = try RoomCheck(room, in: nil, Games.catalog) } catch {
      Fuzz.fail("a room that verifies cannot be checked: \(error)")
    }
  }
}
