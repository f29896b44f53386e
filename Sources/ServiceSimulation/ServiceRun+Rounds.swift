import EventLog
import Events
import Games
import Peer
import Projection
import Rules
import Service
import Simulation

// Rounds that somebody hosts: the person hosts a quiz, a tap race or a drawing game, and all others take part.

extension ServiceRun {
  /// How long the host waits for players.
  private static let doorMilliseconds: UInt64 = 20_000

  /// What is asked in each round, and what may be entered.
  private struct Rounds {
    let rules: any HostedRules
    /// Entries of a player that count in a round.
    let entries: UInt16
    let content: [UInt8]
    let solution: [UInt8]
    let limitMilliseconds: UInt32

    init(_ game: ServicePlan.HostedGame) throws {
      switch game {
      case .quiz:
        let question = QuizQuestion(text: "Which colour?", choices: ["red", "green", "blue"])
        guard let content = question?.content else {
          throw ServiceRunError.never("ask a question of three choices")
        }
        (rules, entries, limitMilliseconds) = (Quiz(), 1, 3_000)
        (self.content, solution) = (content, [1])
      case .tapRace:
        var parameters = Parameters()
        parameters["seconds"] = "3"
        let race = try TapRace(parameters)
        (rules, entries, limitMilliseconds) = (race, race.limitBatches, race.limitMilliseconds)
        (content, solution) = ([], [])
      case .drawing:
        (rules, entries, limitMilliseconds) = (DrawingGame(), UInt16(ServicePlan.HostedGame.guesses), 3_000)
        (content, solution) = ([], DrawnWords.all[0])
      }
    }
  }

  func playRounds(of game: ServicePlan.HostedGame, _ count: Int) async throws {
    let rounds = try Rounds(game)
    try await act(0, "host rounds") { run, service in
      // What was begun in an earlier life goes on.
      let rules = type(of: rounds.rules)
      if let begun = try await service.unfinishedRounds(of: rules.name) {
        run.hosted = begun
      } else {
        run.hosted = try await service.perform(
          .host(
            NewHostedRoom(
              rules: rules.name, rulesVersion: rules.version,
              parameters: rounds.rules.parameters.encoded, title: "rounds", rounds: UInt16(count), players: 8,
              entries: rounds.entries, needsCode: false, scope: .local, profile: Profile(name: "host"),
              continues: .none)))
      }
      return true
    }
    let room = hosted
    let players = (1..<plan.peers).map { number in
      Task { try await self.takePart(number, in: room, game) }
    }
    try await open(rounds, count, in: room)
    for player in players { try await player.value }
  }

  /// Opens all rounds. A round ends with the process that has opened it, and is opened anew.
  private func open(_ rounds: Rounds, _ count: Int, in room: RoomID) async throws {
    let begin = machine.now
    var opener: PeerService?
    try await act(0, "open all rounds") { run, service in
      try await service.attend(room)
      guard let hosted = try await service.state(of: room)?.hosted else { return false }
      if hosted.settledRounds == count { return true }
      let isFull = hosted.players.count == run.plan.peers - 1
      guard isFull || run.machine.now > begin + Self.doorMilliseconds else { return false }
      if let last = hosted.rounds.last, last.phase == .open || last.phase == .closed, opener === service {
        return false
      }
      _ = try await service.perform(
        .rounds(
          room,
          .open(
            content: rounds.content, solution: rounds.solution, limitMilliseconds: rounds.limitMilliseconds)))
      opener = service
      return false
    }
  }

  /// Comes to the rounds, and takes part in each that it sees in time.
  private func takePart(_ number: Int, in room: RoomID, _ game: ServicePlan.HostedGame) async throws {
    var sent: [EventID: Int] = [:]
    let begin = machine.now
    try await act(number, "take part to the end") { run, service in
      guard let state = try await service.state(of: room), let table = try await service.table(of: room),
        let hosted = table.hosted
      else {
        // What was forgotten for others that came is told by its code.
        if run.machine.now > begin + Self.codeMilliseconds {
          _ = try await service.perform(.want(name: room.description))
        }
        return false
      }
      if state.phase == .finished { return true }
      do throws(ServiceError) {
        if hosted.number == nil {
          if !hosted.hasAsked {
            _ = try await service.perform(.rounds(room, .join(code: nil, Profile(name: "player \(number)"))))
          }
        } else if let round = hosted.round, round.phase == .open,
          let choice = game.choice(
            run.machine, isFirst: round.own == .none,
            draws: round.sheet.map { $0.drawer == hosted.number } ?? false,
            sent: sent[round.opening, default: 0])
        {
          sent[round.opening, default: 0] += 1
          _ = try await service.perform(.rounds(room, .enter(opening: round.opening, choice: choice)))
        }
      } catch {
        // Meanwhile the round was closed, the room became full of rounds, or was forgotten for others that came.
        switch error {
        case .refused, .peer(.notAllowed), .peer(.unknownRoom): break
        default: throw error
        }
      }
      return false
    }
  }

  /// Whether a peer has seen the end of the rounds.
  func areRoundsOver(_ number: Int) throws -> Bool {
    guard try hosts[number].disk.holds(hosted) else { return false }
    return try hosts[number].disk.state(of: hosted, verify: false, Games.catalog).phase == .finished
  }
}

extension ServicePlan.HostedGame {
  /// How many batches of taps a player sends in a race.
  fileprivate static let batches = 4
  /// How often a player draws or guesses in a drawing.
  fileprivate static let guesses = 3

  /// What a player enters, as a machine draws it; `nil` where it has entered enough.
  /// - Parameters:
  ///   - isFirst: whether nothing of it is in the round.
  ///   - draws: whether it is the one who draws.
  fileprivate func choice(_ machine: SimulatedMachine, isFirst: Bool, draws: Bool, sent: Int) -> [UInt8]? {
    switch self {
    case .quiz: return isFirst ? [UInt8(machine.draw(0...2))] : nil
    case .drawing:
      guard sent < Self.guesses else { return nil }
      return draws ? DrawnWords.strokes : DrawnWords.all[Int(machine.draw(0...2))]
    case .tapRace: return sent < Self.batches ? TapRace.batch(UInt16(machine.draw(1...12))) : nil
    }
  }
}
