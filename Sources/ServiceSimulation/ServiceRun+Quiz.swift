import EventLog
import Events
import Games
import Peer
import Projection
import Rules
import Service

// A quiz: the person hosts it, and all others answer.

extension ServiceRun {
  private static let (solution, choices) = (UInt8(1), ["red", "green", "blue"])
  /// How long the host waits for players, and a question for answers.
  private static let (doorMilliseconds, limitMilliseconds): (UInt64, UInt32) = (20_000, 3_000)

  func playQuiz(_ rounds: Int) async throws {
    try await act(0, "host a quiz") { run, service in
      // One that was begun in an earlier life goes on.
      if let begun = try await service.unfinishedRounds(of: Quiz.name) {
        run.quiz = begun
      } else {
        run.quiz = try await service.perform(
          .host(
            NewHostedRoom(
              rules: Quiz.name, rulesVersion: 1, parameters: Quiz().parameters.encoded, title: "quiz",
              rounds: UInt16(rounds), players: 8, entries: 1, needsCode: false, scope: .local,
              profile: Profile(name: "host"), continues: .none)))
      }
      return true
    }
    let room = quiz
    let players = (1..<plan.peers).map { number in Task { try await self.answer(number, in: room) } }
    try await ask(rounds, in: room)
    for player in players { try await player.value }
  }

  /// Asks all questions. A round ends with the process that has asked it, and is asked anew.
  private func ask(_ rounds: Int, in room: RoomID) async throws {
    let begin = machine.now
    var asker: PeerService?
    try await act(0, "ask all questions") { run, service in
      try await service.attend(room)
      guard let hosted = try await service.state(of: room)?.hosted else { return false }
      if hosted.settledRounds == rounds { return true }
      let isFull = hosted.players.count == run.plan.peers - 1
      guard isFull || run.machine.now > begin + Self.doorMilliseconds else { return false }
      if let last = hosted.rounds.last, last.phase == .open || last.phase == .closed, asker === service {
        return false
      }
      guard let content = QuizQuestion(text: "Which colour?", choices: Self.choices)?.content else {
        throw ServiceRunError.never("ask a question of three choices")
      }
      _ = try await service.perform(
        .rounds(
          room, .open(content: content, solution: [Self.solution], limitMilliseconds: Self.limitMilliseconds))
      )
      asker = service
      return false
    }
  }

  /// Comes to the quiz, and answers each question that it sees in time.
  private func answer(_ number: Int, in room: RoomID) async throws {
    try await act(number, "answer to the end") { run, service in
      guard let state = try await service.state(of: room), let table = try await service.table(of: room),
        let hosted = table.hosted
      else { return false }
      if state.phase == .finished { return true }
      do throws(ServiceError) {
        if hosted.number == nil {
          if !hosted.hasAsked {
            _ = try await service.perform(.rounds(room, .join(code: nil, Profile(name: "player \(number)"))))
          }
        } else if let round = hosted.round, round.phase == .open, round.own == .none {
          let choice = UInt8(run.machine.draw(0...(Self.choices.count - 1)))
          _ = try await service.perform(.rounds(room, .enter(opening: round.opening, choice: [choice])))
        }
      } catch {
        // The round was closed, or the room is full of rounds, meanwhile.
        switch error {
        case .refused, .peer(.notAllowed): break
        default: throw error
        }
      }
      return false
    }
  }

  /// Whether a peer has seen the end of the quiz.
  func isQuizOver(_ number: Int) throws -> Bool {
    guard try disks[number].rooms(limit: nil).contains(where: { $0.room == quiz }) else { return false }
    return try disks[number].state(of: quiz, verify: false, Games.catalog).phase == .finished
  }
}
