import Events
package import Projection
import Rules

/// In which respects two states of one room differ.
package enum StateDifference {
  /// The respects, in words; none where only the digests differ.
  package static func words(_ a: RoomState, _ b: RoomState) -> String {
    var parts: [String] = []
    if a.phase != b.phase { parts.append("phases \(a.phase) and \(b.phase)") }
    if a.seats != b.seats { parts.append("seats") }
    if a.openRequests != b.openRequests {
      parts.append("\(a.openRequests.count) and \(b.openRequests.count) open requests")
    }
    if a.start != b.start { parts.append("starts \(short(a.start)) and \(short(b.start))") }
    if a.tip != b.tip { parts.append("tips \(a.tip.short) and \(b.tip.short)") }
    if a.round != b.round { parts.append("the round that is on") }
    if a.drawOffers != b.drawOffers { parts.append("draws offered") }
    if a.claims != b.claims { parts.append("claims") }
    if a.undoRequest != b.undoRequest { parts.append("take-backs asked for") }
    if a.chat != b.chat { parts.append("chat, \(a.chat.count) and \(b.chat.count) lines") }
    if a.forked != b.forked { parts.append("who is forked") }
    if a.games.map(\.ending) != b.games.map(\.ending) { parts.append("endings of games") }
    if a.games.map(\.isAgreed) != b.games.map(\.isAgreed) { parts.append("which games are agreed") }
    if a.invited != b.invited { parts.append("who is invited") }
    if a.games.map(\.plies) != b.games.map(\.plies) { parts.append("moves") }
    if a.games.map(\.root) != b.games.map(\.root) { parts.append("where games begin") }
    if a.tournamentWords != b.tournamentWords { parts.append("what the organizer says") }
    return parts.isEmpty ? "nothing that is named here" : parts.joined(separator: ", ")
  }

  private static func short(_ event: EventID?) -> String { event?.short ?? "none" }
}
