import Events
import Gossip

/// A message in few words, for traces.
enum MessageWords {
  /// What kind of message the bytes are and what it is about.
  static func words(_ bytes: [UInt8], hasher: EventHasher) -> String {
    do throws(FormatError) { return words(try Message(decoding: bytes, hasher: hasher)) } catch {
      return "\(bytes.count) bytes that are no message: \(error)"
    }
  }

  private static func words(_ message: Message) -> String {
    switch message {
    case .digest(let digest): "digest \(short(digest.root.high))\(digest.asksForAnswer ? ", asks" : "")"
    case .ask(_, let parts): "ask of \(parts.count) parts"
    case .parts(_, let parts): "parts, \(parts.count)"
    case .have(let announcement):
      "have, \(announcement.reason): "
        + announcement.entries.map { "\(short($0.key)) \($0.sequence)\($0.isForked ? " forked" : "")" }
        .joined(separator: ", ")
    case .want(let wants):
      "want " + wants.map { "\(short($0.key)) after \($0.after)" }.joined(separator: ", ")
    case .runs(let message):
      "runs of \(message.room.short): "
        + message.runs.map { run in
          run.events.map { "\($0.author.short.prefix(4)) \($0.sequence)" }.joined(separator: " ")
        }.joined(separator: "; ")
    case .next(let next): "next of \(short(next.key)): \(next.after + 1) to \(next.last)"
    case .fetch(let room, let ids):
      "fetch of \(room.short): " + ids.map(\.short).joined(separator: ", ")
    case .push(let isWanted): isWanted ? "push" : "do not push"
    case .interest(nil): "interest in everything"
    case .interest(let interest?):
      "interest in \(interest.openGames) open games of each creator, rooms of \(interest.peers.count) peers, and"
        + " \(interest.rooms.count) rooms by their ids"
    }
  }

  private static func short(_ key: UInt64) -> String {
    String(String(key, radix: 16).prefix(6))
  }
}
