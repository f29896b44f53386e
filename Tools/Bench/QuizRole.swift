import EventLog
import Events
import Games
import Network
import Peer
import Platform
import Projection
import Service

extension Role {
  /// Plays a quiz with as many peers, each with a store, a key and connections of its own, until the orders end: a
  /// folder for the stores, the host's port, the number of the first peer, how many there are.
  func playQuiz() async throws {
    let (folder, port) = (try text(0), UInt16(try number(1)))
    let (first, count) = (try number(2), try number(3))
    var players: [QuizPeer] = []
    for number in first..<first + count {
      let service = try await Self.peer(number, in: folder)
      let player = QuizPeer(service, number)
      await service.found(Address(host: "127.0.0.1", port: port))
      Task { try await player.play() }
      players.append(player)
    }
    try answer("playing")
    try await forEachOrder { order in
      guard order == "tell" else { return try answer("used \(Span.processorSeconds)") }
      var notes: [String] = []
      for player in players {
        for note in await player.takeNotes() {
          notes.append("note \(note.round) \(note.shown.wall) \(note.shown.cpu) \(note.answered)")
        }
      }
      try answer("notes \(notes.count)")
      for note in notes { try answer(note) }
    }
    for player in players { await player.service.close() }
  }

  private static func peer(_ number: Int, in folder: String) async throws -> PeerService {
    var seed = Blake2b(domain: "bench-quiz")
    seed.update(bigEndian: number)
    let log = try LMDBEventLog(
      folder: "\(folder)/player-\(number)", access: .writing, network: .standard, mapBytes: 256 << 20,
      quotaBytes: 128 << 20)
    var settings = ServiceSettings(
      signer: SigningKey(seed: seed.digest().bytes), log: log, games: Games.catalog,
      now: { WallClock.milliseconds() })
    // Two hundred who tell each other of all others would connect with each of them.
    settings.tellsOfPeers = false
    return try await PeerService.open(settings)
  }
}

/// A player who answers within two seconds, through the calls of a person's commands, on the thread of its peer.
actor QuizPeer {
  /// When a question was seen, and whether its answer was counted.
  struct Note: Sendable {
    let round: Int
    /// The moment, and what its process had used of the processors by then.
    let shown: Span
    var answered: Int
  }

  nonisolated let service: PeerService
  // SAFETY: this actor keeps the peer, and the peer its executor.
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe service.unownedExecutor }

  private let number: Int
  private var room: RoomID?
  private var notes: [EventID: Note] = [:]
  private var answered: Set<EventID> = []

  init(_ service: PeerService, _ number: Int) {
    self.service = service
    self.number = number
  }

  func takeNotes() -> [Note] { notes.values.sorted { $0.round < $1.round } }

  /// Plays as long as this process lives.
  func play() async throws {
    for await _ in await service.changes() { try await act() }
  }

  private func act() async throws {
    guard let room else { return try await join() }
    guard let hosted = try await service.state(of: room)?.hosted, let player = hosted.player(service.peer)
    else { return }
    for round in hosted.rounds.suffix(2) where round.phase == .settled {
      notes[round.opening]?.answered = round.entries.count { $0.player == player.number && $0.choice != nil }
    }
    guard let round = hosted.round, round.phase == .open, answered.insert(round.opening).inserted else {
      return
    }
    notes[round.opening] = Note(round: round.number, shown: Span.now(), answered: 0)
    let (service, opening, choice) = (service, round.opening, UInt8(number % 4))
    // As people do, each takes a while: from a fifth of a second to two.
    let pause = 200 + (number * 7_919 + round.number * 104_729) % 1_800
    Task {
      try await Task.sleep(for: .milliseconds(pause))
      _ = try await service.perform(.rounds(room, .enter(opening: opening, choice: [choice])))
    }
  }

  private func join() async throws {
    guard let open = await service.openGames().first else { return }
    room = open
    _ = try await service.perform(.rounds(open, .join(code: nil, Profile(name: "player \(number)"))))
  }
}
