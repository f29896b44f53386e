import BotKit
import Foundation
import TestKit
import Testing

/// `kill -9` at any moment, then `tournament resume`: the same end as if nothing had happened.
@Suite(.blocking, .enabled(if: Program.isThere, Program.missing)) struct TournamentKillTests {
  /// What an undisturbed run came to.
  struct Reference: Sendable {
    let digest: String
    let results: [[String]]

    init(_ plan: TournamentPlan) throws { try self.init(TournamentCampaign(plan)) }

    init(_ campaign: TournamentCampaign) throws {
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
  static let quick = Result { try Reference(.quick) }
  static let quickChoices = Result { try Reference(.quickChoices) }
  static let simultaneous = Result { try Reference(.simultaneous) }

  /// While the tournament is created or taken up, at its end, or anywhere.
  ///
  /// - Parameter left: how many results this run may write.
  private static func moment(_ stage: Int, left: Int, _ random: inout RandomStream) -> KillMoment {
    switch stage {
    case 0: .starting(&random)
    case 1:
      KillMoment(
        lines: max(0, left - Int.random(in: 0...2, using: &random)),
        microseconds: UInt32.random(in: 0...3000, using: &random))
    default:
      KillMoment(
        lines: Int.random(in: 0..<max(1, left), using: &random),
        microseconds: UInt32.random(in: 0...150_000, using: &random))
    }
  }

  /// Bots that think, so that kills come in the midst of games.
  @Test(.onlyAtFullSize, arguments: 0..<5)
  func aKilledTournamentGoesOnToTheSameEnd(_ seed: Int) throws {
    var random = RandomStream(seed: UInt64(seed))
    try survive(.roundRobin, kills: 1 + seed % 4, try Self.roundRobin.get()) { kill, left in
      Self.moment((seed + kill) % 5, left: left, &random)
    }
  }

  @Test(.onlyAtFullSize) func soDoDecidersAndSimultaneousChoices() throws {
    var random = RandomStream(seed: 2)
    for (plan, reference) in [
      (TournamentPlan.deciders, Result { try Reference(.deciders) }), (.simultaneous, Self.simultaneous),
    ] {
      try survive(plan, kills: 4, try reference.get()) { kill, left in
        Self.moment((2 + kill) % 5, left: left, &random)
      }
    }
  }

  @Test(.onlyAtFullSize, arguments: [TournamentPlan.swiss, .doubleElimination, .gauntlet, .ladder, .groups])
  func soDoesEveryFormat(_ plan: TournamentPlan) throws {
    var random = RandomStream(seed: UInt64(plan.pairings))
    let reference = try Reference(plan)
    for round in 0..<3 {
      try survive(plan, kills: 3 + round, reference) { kill, left in
        Self.moment((round + kill) % 5, left: left, &random)
      }
    }
  }

  /// The long form is `PARLOR_TOURNAMENT_KILLS=1000 Tools/test --full --filter TournamentKillTests`: so many of each
  /// format.
  private static let manyKills = Effort.number("PARLOR_TOURNAMENT_KILLS")

  @Test(.onlyAtFullSize, arguments: TournamentPlan.large)
  func aTournamentOf64EntrantsOutlivesManyKills(_ plan: TournamentPlan) throws {
    let manyKills = Self.manyKills ?? (plan.pairings > 1_000 ? 80 : 5)
    let reference = try Reference(plan)
    var random = RandomStream(seed: 64)
    let restarts = Restarts()
    var kills = 0
    var tournaments = 0
    // How far a run gets is not in the rig's hands, so a tournament may end before all the kills are done; then
    // the same one begins anew in another data folder.
    while kills < manyKills {
      let done = kills
      tournaments += 1
      let hit = try survive(plan, kills: manyKills - done, reference, restarts) { kill, left in
        // So few results a run that as many of the kills as can be come before the end.
        let share = 3 * left / (2 * max(1, manyKills - done - kill))
        return kill % 5 == 0
          ? .starting(&random)
          : KillMoment(
            lines: Int.random(in: 0...share, using: &random),
            microseconds: UInt32.random(in: 0...5_000, using: &random))
      }
      try #require(hit > 0, "tournament \(tournaments) was never hit")
      kills += hit
    }
    #expect(kills == manyKills)
    Figures.say("\(tournaments) of a \(plan.words[7]) of 64 entrants: \(kills) kills; \(restarts.words)")
  }

  /// Kills a tournament until so many runs were hit or all is decided, and looks at its end.
  /// - Parameter moment: of the next kill, from the number of those before it and of the pairings left.
  /// - Returns: how many kills hit a run.
  @discardableResult
  private func survive(
    _ plan: TournamentPlan, kills: Int, _ reference: Reference, _ restarts: Restarts = Restarts(),
    moment: (_ kill: Int, _ left: Int) -> KillMoment
  ) throws -> Int {
    let campaign = try TournamentCampaign(plan)
    var moments: [KillMoment] = []
    var run: Dialogue? = try campaign.start()
    while campaign.kills < kills, let killed = run {
      let left = plan.pairings - Set(campaign.decided.map(\.pairing)).count
      moments.append(moment(moments.count, left))
      try campaign.kill(killed, at: moments[moments.count - 1])
      run = try campaign.next(restarts)
    }
    if let run { try campaign.finish(run) }
    let last: Comment = "killed \(moments.suffix(8))"
    #expect(try campaign.digest() == reference.digest, last)
    // A run can be killed between a result and the words of it; what was said is what it came to.
    #expect(Set(try campaign.results()).isSubset(of: reference.results), last)
    try campaign.checkLog()
    return campaign.kills
  }

  /// One room of many games, killed twice in the middle of them.
  @Test(.onlyAtFullSize) func aHalfPlayedRoomGoesOnMoveForMove() throws {
    let plan = TournamentPlan(
      words: [
        "--game", "prisoners-dilemma", "--format", "round-robin", "--set", "rounds=200", "--games", "128",
        "--entrants", "joss,random",
      ], limitAttempts: 1, pairings: 1)
    let whole = try TournamentCampaign(plan)
    try whole.finish(try whole.start())
    let campaign = try TournamentCampaign(plan)
    var run = try campaign.start()
    var stored = 0
    for _ in 0..<2 {
      // It stands still while it is looked at, however quick it is and however slow looking.
      try run.wait(for: "a half-played room", pollMicroseconds: 2_000) {
        run.send(SIGSTOP)
        let room = try campaign.rooms(besideStopped: run).first { $0["kind"] as? String == "game" }
        let events = room?["events"] as? Int ?? 0
        guard room?["status"] as? String == "playing", events > stored else {
          run.send(SIGCONT)
          return false
        }
        stored = events
        return true
      }
      try campaign.kill(run, at: KillMoment(lines: 0, microseconds: 0))
      let room = try campaign.read("log", "list").first { $0["kind"] as? String == "game" }
      #expect(try #require(room?["events"] as? Int) >= stored)
      run = try #require(try campaign.next())
    }
    try campaign.finish(run)
    #expect(campaign.kills == 2)
    #expect(try campaign.digest() == whole.digest())
    try campaign.checkLog()
    let moves = try [whole, campaign].map { one in
      try one.moves(of: try #require(one.decided.first).room)
    }
    #expect(moves[0].count { $0 == " " } == 128 * 199 && moves[0].count { $0 == "\n" } == 128)
    #expect(moves[0] == moves[1])
  }
}
