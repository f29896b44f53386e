import BotKit
import Events
import Games
import Network
import Peer
import Projection
import Rules
import Service

extension Role {
  /// Plays game after game with one other process, and notes when moves were made and when they came: a store's
  /// folder, the port of the other process, or 0 to wait for it and to open the games.
  func play() async throws {
    let (folder, port) = (try text(0), try number(1))
    let service = try await peer(of: folder, listens: port == 0)
    let player = MovePlayer(service, opensGames: port == 0)
    try answer("port \(await service.address?.port ?? 0)")
    try await forEachOrder { order in
      let words = order.split(separator: " ")
      if words.first == "play", let moves = words.last.flatMap({ Int($0) }) {
        if port != 0 { await service.found(Address(host: "127.0.0.1", port: UInt16(port))) }
        // It goes on until this process ends: the other side may not have enough yet.
        Task { try await player.play() }
        Task {
          await player.watch(moves)
          try answer("played")
        }
      } else {
        let notes = await player.notes
        try answer("notes \(notes.count)")
        for note in notes {
          try answer("note \(note.room) \(note.ply) \(note.isOwn ? "made" : "stored") \(note.seconds)")
        }
      }
    }
    await service.close()
  }
}

/// When something happened to a move.
struct MoveNote: Sendable {
  let room: String
  let ply: Int
  /// Whether the move was made here, at that moment; else it is one that was seen to be durable here.
  let isOwn: Bool
  /// By the system's clock that all processes share.
  let seconds: Double
}

/// Plays Connect Four without thought, through the calls of a person's commands, on the thread of its peer.
actor MovePlayer {
  nonisolated let service: PeerService
  // SAFETY: this actor keeps the peer, and the peer its executor.
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe service.unownedExecutor }

  private let opensGames: Bool
  private(set) var notes: [MoveNote] = []
  private var room: RoomID?
  /// How many plies of each room are noted: while one is asked about, the next may begin.
  private var noted: [RoomID: Int] = [:]
  private var asked: Set<RoomID> = []

  init(_ service: PeerService, opensGames: Bool) {
    self.service = service
    self.opensGames = opensGames
  }

  /// Plays as long as this process lives.
  func play() async throws {
    for await _ in await service.changes() { try await act() }
  }

  /// Notes the other side's moves as they become durable here, and returns when there are so many.
  func watch(_ moves: Int) async {
    var count = 0
    for await _ in await service.pulses() {
      let now = Span.clockSeconds
      count += await note(now)
      if count >= moves { return }
    }
  }

  /// - Returns: how many new moves of the other side are durable here.
  private func note(_ now: Double) async -> Int {
    guard let room, let plies = await service.rooms.durablePlies(of: room) else { return 0 }
    let known = noted[room, default: 0]
    guard plies > known else { return 0 }
    let others = (known..<plies).filter { ($0 % 2 == 0) != opensGames }
    for ply in others {
      notes.append(MoveNote(room: room.description, ply: ply, isOwn: false, seconds: now))
    }
    noted[room] = plies
    return others.count
  }

  /// Does what it is this side's turn to do.
  private func act() async throws {
    if opensGames { try await open() } else { try await join() }
    guard let room, let state = try await service.state(of: room), state.turn != nil,
      let game = state.games.first, let seat = state.seat(of: service.peer), game.turn == .seat(seat)
    else { return }
    let ply = game.plies.count
    notes.append(MoveNote(room: room.description, ply: ply, isOwn: true, seconds: Span.clockSeconds))
    // From left to right, each column to its top: the first seat wins with the nineteenth move.
    let code = MoveCode(UInt32(ply / 6))
    _ = try await service.perform(.act(room, .choose(BotChoice(code), game: 0, ply: UInt16(ply))))
  }

  /// Opens a game when there is none, or it is over.
  private func open() async throws {
    guard await service.neighbours().contains(where: { $0.state == .connected }) else { return }
    if let room {
      guard let state = try await service.state(of: room), state.phase == .finished else { return }
    }
    guard let game = Games.catalog.newest("connect-four") else { return }
    let new = Intent.NewRoom(
      rules: try game.rules(), seat: 0, starter: .firstSeat, scope: .open, profile: Profile(name: "host"))
    room = try await service.perform(.create(new))
  }

  /// Comes to a game that is open.
  private func join() async throws {
    guard let open = await service.openGames().first(where: { !asked.contains($0) }) else { return }
    asked.insert(open)
    _ = try await service.perform(.join(open, seat: Create.noSeat, Profile(name: "guest"), terms: Terms()))
    room = open
  }
}
