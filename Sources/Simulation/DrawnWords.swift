import BotKit
import Games
import Rules

/// What is drawn and guessed in simulated drawing games.
package enum DrawnWords {
  /// The words; two of them have as many letters.
  package static let all = ["house", "mouse", "tree"].map { Array($0.utf8) }
  /// What drawers draw.
  package static let strokes = StrokeBatch(text: "line 10 10 20 20; clear; line red 8 5 5")?.bytes ?? []

  /// What a player may enter in a round of any hosted game, by chance.
  static func entry(
    of player: UInt16, in content: [UInt8], _ rules: any HostedRules, _ random: inout RandomStream
  ) -> [UInt8] {
    guard rules.isSealed else { return TapRace.batch(UInt16(random.draw(1...6))) ?? [] }
    guard rules.tellsOne else { return [UInt8(random.below(3))] }
    return rules.form(of: player, in: content) == .clear ? strokes : random.pick(all) ?? []
  }
}
