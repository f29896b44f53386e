import BotKit
import EventLog
import Events
import Foundation
import Games
import Network
import Peer
import Projection
import Rules
import Synchronization
import Testing

@testable import Service

/// Has a guest find a host that listens.
func connect(_ guest: PeerService, to host: PeerService) async throws {
  await guest.found(try #require(await host.address))
}

/// A data folder that is gone when the test lets go of it.
final class ServiceFolder: Sendable {
  let path: String
  private let opened = Mutex<LMDBEventLog?>(nil)

  init(_ name: String = UUID().uuidString) throws {
    path = FileManager.default.temporaryDirectory.appendingPathComponent("parlor-service-\(name)").path
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  deinit {
    do { try FileManager.default.removeItem(atPath: path) } catch { Issue.record(error) }
  }

  var socket: String { path + "/socket" }

  /// The store, open for writing. A process opens a store once, so who reads beside the writer has the same.
  func log() throws -> LMDBEventLog {
    try opened.withLock { opened throws in
      if let opened { return opened }
      let log = try LMDBEventLog(
        folder: path + "/log", access: .writing, network: .standard, mapBytes: 64 << 20, quotaBytes: 32 << 20)
      opened = log
      return log
    }
  }

  /// A peer on this folder.
  func open(
    _ number: UInt8, listens: Bool = false, policy: Steward.Policy = .person, clock: Hands? = nil
  ) async throws -> PeerService {
    var settings = ServiceSettings(
      signer: Self.key(number), log: try log(), games: Games.catalog,
      folder: path, listen: listens ? Address(host: "127.0.0.1", port: 0) : nil, now: { 0 })
    settings.blocked = try BlockedPeers.read(in: path)
    if let clock { settings.elapsed = { clock.time } }
    return try await PeerService.open(settings, policy: policy)
  }

  /// A peer's key, which no peer of another test or process has.
  ///
  /// A peer that was begun again listens at another port, and the old one may be another test's by now. Whoever still
  /// tries that port would take a peer with the same key for the one that was there: it is a second process of that
  /// peer then, which writes no more.
  private static func key(_ number: UInt8) -> SigningKey {
    let words = "\(ProcessInfo.processInfo.processIdentifier) \(Test.current?.id.description ?? "") \(number)"
    var seed = Blake2b(domain: "parlor-test-keys")
    seed.update(Array(words.utf8))
    return SigningKey(seed: seed.digest().bytes)
  }

  /// Another process's view of the peer.
  func client() async throws -> ServiceClient? {
    try await ServiceClient.connect(folder: path, log: try log(), games: Games.catalog)
  }
}

/// The hands of a clock that the test sets, in milliseconds.
final class Hands: Sendable {
  private let milliseconds = Mutex<UInt64>(1_000)

  var time: UInt64 { milliseconds.withLock { $0 } }

  func advance(by span: UInt64) { milliseconds.withLock { $0 += span } }
}

extension Service {
  /// Opens a game of tic-tac-toe in which the creator starts.
  func host(
    scope: Scope = .local, invited: [PeerID] = [], referee: PeerID = .none, moveLimitMilliseconds: UInt32 = 0
  ) async throws -> RoomID {
    let definition = try #require(Games.catalog.newest("tic-tac-toe"))
    var new = Intent.NewRoom(
      rules: try definition.rules(Parameters()), seat: 0, starter: .firstSeat, scope: scope,
      profile: Profile(name: "host"), invited: invited)
    new.terms.referee = referee
    new.terms.moveLimitMilliseconds = moveLimitMilliseconds
    return try await perform(.create(new))
  }

  /// Asks for a seat, having agreed to this referee and to the game's own limits, or to other terms.
  func join(_ room: RoomID, referee: PeerID = .none, agreed: Terms? = nil) async throws {
    var terms = try await state(of: room).map { Terms($0.create) } ?? Terms()
    terms.referee = referee
    _ = try await perform(
      .join(room, seat: Create.noSeat, Profile(name: "guest"), terms: agreed ?? terms))
  }

  /// Plays a move at the place where the game stands.
  func play(_ cell: String, in room: RoomID) async throws {
    let game = try #require(try await state(of: room)?.currentGame)
    let code = try #require(game.state.code(text: cell))
    _ = try await perform(
      .act(
        room,
        .choose(BotChoice(code), game: UInt16(game.number), ply: UInt16(game.plies.count))))
  }

  /// Waits for something that peers bring about; tests beside this one may make it take minutes.
  func wait(
    for what: String, sourceLocation: SourceLocation = #_sourceLocation,
    until holds: () async throws -> Bool
  ) async throws {
    let clock = ContinuousClock()
    let end = clock.now + .seconds(600)
    while try await !holds() {
      guard clock.now < end else {
        Issue.record("never: \(what)", sourceLocation: sourceLocation)
        throw CancellationError()
      }
      try await Task.sleep(for: .milliseconds(5))
    }
  }
}
