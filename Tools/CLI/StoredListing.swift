import EventLog
import Events
import Peer
import Projection
import Service
import Terminal

/// Rooms, tournaments and codes of the log as words of a command line, the newest first, for completion.
struct StoredListing {
  private let log: LMDBEventLog
  private let context: Context

  /// The most rooms that are looked at: whoever presses Tab does not wait.
  private static let limitRooms = 200
  /// The most words that are listed.
  private static let limitWords = 50

  /// - Throws: where there is no log, or none that can be read.
  init(_ context: Context) throws {
    log = try context.store.reader()
    self.context = context
  }

  /// The words of a kind.
  func words(_ kind: StoredWords) throws -> [DescribedWord] {
    let rooms = try log.rooms(limit: nil).lazy.filter { mayFit($0.create.createdPurpose, kind) }
    var words: [DescribedWord] = []
    for listing in rooms.prefix(Self.limitRooms) where words.count < Self.limitWords {
      guard let state = try state(of: listing), fits(state, kind) else { continue }
      let word = kind == .codes || kind == .seats ? GameCode.of(listing.room) : listing.room.short
      words.append(DescribedWord(word, description(of: state)))
    }
    return words
  }

  /// Whether a room may be meant, by what it is for; games of tournaments are found by their tournament.
  private func mayFit(_ purpose: Create.Purpose?, _ kind: StoredWords) -> Bool {
    switch purpose {
    case .tournament: kind == .tournaments || kind == .rooms
    case .games(let tournament, _, _): kind != .tournaments && !tournament.isSome
    case .hosted: kind != .tournaments
    case nil: false
    }
  }

  /// A room's state; `nil` for a damaged room.
  private func state(of listing: RoomListing) throws -> RoomState? {
    do throws(LogError) { return try log.outline(of: listing.room, context.games).state } catch {
      guard case .corrupt = error else { throw error }
      return nil
    }
  }

  /// Whether a room is meant that may be.
  private func fits(_ state: RoomState, _ kind: StoredWords) -> Bool {
    let isOn = state.phase == .waiting || state.phase == .playing
    return switch kind {
    case .rooms, .tournaments: true
    case .unfinished, .codes: isOn
    case .seats: state.hasFreeSeat(for: state.creator)
    }
  }

  /// A room in a line; names are of others, so that they are made safe to print.
  private func description(of state: RoomState) -> String {
    let create = state.create
    if case .tournament(_, _, _, let title) = create.purpose {
      let title = SafeText(title, limitColumns: 40).text
      return "\(create.rules) tournament" + (title.isEmpty ? "" : ", \(title)")
    }
    let names = state.seats.map { $0.map { SafeText($0.profile.name, limitColumns: 24).text } ?? "–" }
    let players =
      state.hosted.map { Room.count($0.players.count, "player") }
      ?? (names.count > 2 ? "\(names.count) players" : names.joined(separator: " – "))
    return [create.rules, players].filter { !$0.isEmpty }.joined(separator: ", ")
  }
}
