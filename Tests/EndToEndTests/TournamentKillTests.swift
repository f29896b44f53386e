import BotKit
import Foundation
import Testing

/// `kill -9` at any moment, then `tournament resume`: the same end as if nothing had happened.
@Suite(.enabled(if: Program.isThere, Program.missing)) struct TournamentKillTests {
  /// What an undisturbed run came to.
  struct Reference: Sendable {
    let digest: String
    let results: [[String]]

    init(_ plan: TournamentPlan) throws {
      let campaign = try TournamentCampaign(plan)
      let run = try campaign.start()
      try campaign.finish(run)
      let finished = try #require(try run.objects("finished").first)
      digest = try #require(finished["standingsDigest"] as? String)
      results = try campaign.results()
      #expect(try campaign.digest() == digest)
      try campaign.checkLog()
    }
  }

  static let roundRobin = Result { try Reference(.roundRobin) }

  /// The moment of a kill: after so many results of this run, and then so much later.
  struct Moment: CustomStringConvertible {
    let decided: Int
    let microseconds: UInt32

    var description: String { "after \(decided) results and \(microseconds) µs" }

    /// While the tournament is created, in its first games, or anywhere.
    init(_ stage: Int, pairings: Int, _ random: inout RandomStream) {
      switch stage {
      case 0:
        decided = 0
        microseconds = UInt32.random(in: 0...60_000, using: &random)
      case 1:
        decided = pairings - Int.random(in: 0...2, using: &random)
        microseconds = UInt32.random(in: 0...3000, using: &random)
      default:
        decided = Int.random(in: 0..<pairings, using: &random)
        microseconds = UInt32.random(in: 0...30_000, using: &random)
      }
    }
  }

  @Test(arguments: 0..<20)
  func aKilledTournamentGoesOnToTheSameEnd(_ seed: Int) throws {
    let reference = try Self.roundRobin.get()
    try survive(.roundRobin, seed: seed, kills: 1 + seed % 4, reference)
  }

  @Test(arguments: [TournamentPlan.deciders, .simultaneous])
  func soDoDecidersAndSimultaneousChoices(_ plan: TournamentPlan) throws {
    try survive(plan, seed: 2, kills: 4, try Reference(plan))
  }

  /// Kills a tournament several times and looks at its end.
  private func survive(_ plan: TournamentPlan, seed: Int, kills: Int, _ reference: Reference) throws {
    var random = RandomStream(seed: UInt64(seed))
    let campaign = try TournamentCampaign(plan)
    var moments: [Moment] = []
    var run: Dialogue? = try campaign.start()
    for kill in 0..<kills {
      guard let killed = run else { break }
      let moment = Moment((seed + kill) % 5, pairings: plan.pairings, &random)
      moments.append(moment)
      _ = try killed.waitOrEnd(pollMicroseconds: 500) {
        try killed.objects("decided").count >= moment.decided
      }
      usleep(moment.microseconds)
      try campaign.kill(killed)
      run = try campaign.next()
    }
    if let run { try campaign.finish(run) }
    #expect(try campaign.digest() == reference.digest, "killed \(moments)")
    let results = try campaign.results()
    #expect(Set(results).isSubset(of: reference.results), "killed \(moments)")
    try campaign.checkLog()
  }

  /// One room of many games, killed twice in the middle of them.
  @Test func aHalfPlayedRoomGoesOnMoveForMove() throws {
    let plan = TournamentPlan(
      words: [
        "--game", "prisoners-dilemma", "--format", "round-robin", "--set", "rounds=200", "--games", "24",
        "--entrants", "joss,random",
      ], limitAttempts: 1, pairings: 1)
    let whole = try TournamentCampaign(plan)
    try whole.finish(try whole.start())
    let campaign = try TournamentCampaign(plan)
    var run = try campaign.start()
    var stored = 0
    for _ in 0..<2 {
      try run.wait(for: "a half-played room", pollMicroseconds: 20_000) {
        let room = try campaign.read("log", "list").first { $0["kind"] as? String == "game" }
        let events = room?["events"] as? Int ?? 0
        guard room?["status"] as? String == "playing", events > stored else { return false }
        stored = events
        return true
      }
      try campaign.kill(run)
      let room = try campaign.read("log", "list").first { $0["kind"] as? String == "game" }
      #expect(try #require(room?["events"] as? Int) >= stored)
      run = try #require(try campaign.next())
    }
    try campaign.finish(run)
    #expect(campaign.kills == 2)
    #expect(try campaign.digest() == whole.digest())
    try campaign.checkLog()
    let moves = try [whole, campaign].map { one in
      try one.read("replay", try #require(one.decided.first).room).map { $0["moves"] as? [String] }
    }
    #expect(moves[0].count > 24 * 200)
    #expect(moves[0] == moves[1])
  }
}
