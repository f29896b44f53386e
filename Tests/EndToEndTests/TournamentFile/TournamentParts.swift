import Events
import Games
import Peer
import Testing
import Tournaments

@testable import EventLog

/// A tournament's file taken apart, to be put together wrongly.
struct TournamentParts {
  /// What is done to the file, at one of its games.
  enum Tampering: CaseIterable {
    /// A byte of an event is changed, and the digest made to fit.
    case byte
    /// A signature is another, and the digest made to fit.
    case signature
    /// The organizer signs that the game ended otherwise.
    case swapped
    /// The game is left out, and the heading made to fit.
    case removed
    /// A game of another tournament stands in its place, and the heading fits.
    case foreign
    /// The game stands twice, and the heading fits.
    case doubled
    /// The game and the one before it have changed places, and the heading fits.
    case reordered
    /// The file ends in the middle of the game.
    case cut
    /// The file ends before the game.
    case ended
  }

  /// The rooms, the tournament's first.
  var rooms: [RoomID]
  /// The bundle of each.
  var bundles: [[UInt8]]
  /// How many bytes of the file are there.
  private var end = Int.max

  init(_ tournament: RoomID, in log: any EventLog) throws {
    let writer = try TournamentFileWriter(tournament, in: log)
    rooms = writer.rooms
    bundles = try writer.rooms.indices.map { Array(try writer.part($0).bytes.dropFirst(8)) }
  }

  /// The file.
  var bytes: [UInt8] {
    var bytes = TournamentFile.magic
    bytes.append(NetworkID.standard)
    bytes.append(bigEndian: UInt32(rooms.count))
    for room in rooms { bytes.append(room) }
    for bundle in bundles {
      bytes.append(bigEndian: UInt64(bundle.count))
      bytes += bundle
    }
    return Array(bytes.prefix(end))
  }

  /// Where the length of a room's bundle stands in the file.
  private func start(of number: Int) -> Int {
    bundles[..<number].reduce(8 + 32 + 4 + 32 * rooms.count) { $0 + 8 + $1.count }
  }

  /// The file after it was tampered with at the room of this number, from 1.
  /// - Parameters:
  ///   - other: another tournament of the same size.
  ///   - told: the tournament's bundle in which the organizer says otherwise of this room.
  func tampered(_ kind: Tampering, at number: Int, other: TournamentParts, told: [UInt8]) -> TournamentParts {
    var parts = self
    let middle = bundles[number].count / 2
    switch kind {
    case .byte: parts.change(number, at: middle + number % 7)
    case .signature: parts.change(number, at: bundles[number].count - 33 - number % 64)
    case .swapped: parts.bundles[0] = told
    case .removed:
      parts.rooms.remove(at: number)
      parts.bundles.remove(at: number)
    case .foreign: (parts.rooms[number], parts.bundles[number]) = (other.rooms[number], other.bundles[number])
    case .doubled:
      parts.rooms.insert(rooms[number], at: number)
      parts.bundles.insert(bundles[number], at: number)
    case .reordered:
      let before = number == 1 ? 2 : number - 1
      parts.rooms.swapAt(number, before)
      parts.bundles.swapAt(number, before)
    case .cut: parts.end = start(of: number) + 8 + middle
    case .ended: parts.end = start(of: number)
    }
    return parts
  }

  private mutating func change(_ number: Int, at place: Int) {
    bundles[number][place] ^= 1
    bundles[number].removeLast(32)
    var digest = RunningHash(domain: "parlor-bundle-1")
    digest.update(bundles[number])
    bundles[number].append(Digest(digest.digest()))
  }
}

extension Samples {
  /// A tournament's bundle in which the organizer says of one room that its last game ended otherwise, and in all else
  /// what it said before; and the event that says so.
  func retold(_ tournament: RoomID, of room: RoomID) throws -> (bundle: [UInt8], event: EventID) {
    let whole = try log.load(tournament, verify: true)
    let start = try #require(whole.entries.firstIndex { $0.event.kind == .pairingResult })
    var told = RoomLog(room: tournament)
    for entry in whole.entries[..<start] { told.restore(entry.event, signature: entry.signature) }
    var core = household.core(household.owner)
    core.open(told, isDurable: true)
    var changed: EventID?
    for entry in whole.entries[start...] {
      guard case .pairingResult(var word) = entry.event.action else { continue }
      if word.room == room {
        let last = word.games.count - 1
        word.games[last] = word.games[last] == [1, 0] ? [0, 1] : [1, 0]
      }
      let event = try core.write(.pairingResult(word), in: tournament)
      told.restore(event, signature: household.owner.sign(event.id))
      if word.room == room { changed = event.id }
    }
    var bundle: [UInt8] = []
    try BundleWriter(told, network: .standard).write { bundle += $0 }
    return (bundle, try #require(changed))
  }
}

extension TournamentProof {
  /// What a file of these bytes proves, which come in pieces of so many bytes.
  static func of(_ bytes: [UInt8], pieces: Int = 1 << 16) throws -> TournamentProof {
    var left = bytes[...]
    let file = try LogFile(network: .standard) { () throws(BundleError) in
      defer { left = left.dropFirst(pieces) }
      return Array(left.prefix(pieces))
    }
    switch consume file {
    case .tournament(let reader): return try of(reader, Games.catalog) { (_, _) throws(Never) in }
    case .bundle: throw BundleError.notABundle
    }
  }
}
