import Foundation
import Synchronization
import TestKit
import Testing

/// `kill -9` at random moments: what was acknowledged is there, no peer contradicts itself, and the next start
/// is quick.
///
/// Each data folder lives through many kills of whatever works in it, and others through a single kill in the
/// midst of their creation. `PARLOR_KILLS=10000 Tools/test --full --filter KillTests` is the long form.
@Suite(.blocking, .enabled(if: Program.isThere, Program.missing)) struct KillTests {
  /// The kills of one folder that lives on.
  private static let killsOfFolder = Effort.size(20, quick: 6)
  /// The folders beside it that are killed once.
  private static let freshFolders = Effort.size(5, quick: 2)

  private static let folders: Int = {
    let kills = Effort.size(50, quick: 8, variable: "PARLOR_KILLS")
    let each = killsOfFolder + freshFolders
    return max(1, (kills + each - 1) / each)
  }()

  private struct Totals {
    var folders = 0
    var kills = 0
    var lines = 0
    var events = 0
  }

  private static let totals = Mutex(Totals())
  private static let restarts = Restarts()

  @Test(arguments: 0..<folders)
  func whatWasAcknowledgedIsThere(_ folder: Int) throws {
    let slowDisk = try SlowDisk()
    for fresh in 0...Self.freshFolders {
      let seed = UInt64(folder * 1000 + fresh)
      let campaign = try KillCampaign(seed: seed, restarts: Self.restarts, slowDisk: slowDisk)
      try campaign.run(kills: fresh == 0 ? Self.killsOfFolder : 1)
      Self.count(campaign, isLast: fresh == Self.freshFolders)
    }
  }

  private static func count(_ campaign: KillCampaign, isLast: Bool) {
    let (done, words) = totals.withLock { totals in
      totals.kills += campaign.kills
      totals.lines += campaign.lines
      totals.events += campaign.events
      if isLast { totals.folders += 1 }
      return (
        isLast && totals.folders == folders,
        "\(totals.kills) kills, \(totals.lines) acknowledgements, \(totals.events) events"
      )
    }
    if done { Figures.say("\(words); \(restarts.words)") }
  }
}
