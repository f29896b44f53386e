import Rules
import TestKit
import Testing

@testable import Tournaments

/// How one room ends for the pairing's first entrant, whatever seat it has.
enum Ending: CaseIterable {
  case won, lost, level
}

extension TournamentState {
  /// A tournament with these settings, which must be in their limits.
  init(_ format: TournamentFormat, _ entrants: Int, games: Int? = nil, deciders: Int? = nil) throws {
    self.init(
      settings: try TournamentSettings(
        format: format, entrants: entrants, games: games, options: deciders.map { ["deciders": $0] } ?? [:]))
  }

  /// Counts a result of the open room of a pairing in which every game ends alike for the first entrant.
  mutating func play(_ number: Int, _ ending: Ending) throws {
    let room = try #require(record(PairingNumber(index: number))?.open)
    #expect(apply(.result(room.result(ending))) == nil)
  }

  /// Plays every ready room until none is left; the ending may depend on the room only.
  mutating func playOut(_ ending: (PairingAttempt) -> Ending) {
    while let room = ready.first { #expect(apply(.result(room.result(ending(room)))) == nil) }
  }

  /// The standings' entrants, in order.
  var order: [Int] { standings.map(\.entrant.index) }

  /// The standings' ranks, in order.
  var ranks: [Int] { standings.map(\.rank) }
}

extension PairingAttempt {
  /// The room's result when every game ends alike for the pairing's first entrant.
  func result(_ ending: Ending) -> PairingResult {
    let winner: Seat? =
      switch ending {
      case .won: Seat(isSwapped ? 1 : 0)
      case .lost: Seat(isSwapped ? 0 : 1)
      case .level: nil
      }
    let outcome = winner.map { Outcome.won(by: $0, of: 2) } ?? .drawn(of: 2)
    return PairingResult(
      pairing: pairing.number, attempt: attempt, games: [Outcome](repeating: outcome, count: games))
  }

  /// A result that depends on the seed, the pairing and the attempt only.
  func randomResult(seed: UInt64, absences: Bool) -> PairingResult {
    var random = SeededGenerator(state: seed ^ UInt64(pairing.number.rawValue) << 32 ^ UInt64(attempt) << 20)
    let absence =
      absences && Int.random(in: 0..<10, using: &random) == 0
      ? Absence.allCases.randomElement(using: &random) ?? .nobody : .nobody
    let count = absence == .nobody ? games : Int.random(in: 0..<games, using: &random)
    let outcomes = (0..<count).map { _ in
      Outcome(scores: [.random(in: -1...1, using: &random), .random(in: -1...1, using: &random)])
    }
    return PairingResult(pairing: pairing.number, attempt: attempt, absence: absence, games: outcomes)
  }
}

/// Calls `body` with every sequence of `count` digits below `base`.
func forEachSequence(of count: Int, base: Int, _ body: ([Int]) throws -> Void) rethrows {
  var digits = [Int](repeating: 0, count: count)
  while true {
    try body(digits)
    guard let place = digits.firstIndex(where: { $0 < base - 1 }) else { return }
    digits[place] += 1
    for lower in 0..<place { digits[lower] = 0 }
  }
}
