internal import Events

/// The lines of chat of a room, of which its state has those that were said last: anybody may write, with any number of
/// keys, and a state stays small.
struct ChatBook: Sendable {
  /// Where each author's lines stand. Those before a fork were taken in before all others, in the order of the feed.
  private var said: [PeerID: [UInt32]] = [:]
  /// The authors of the highest keys, ascending: as many as can be among the last lines.
  private var authors: [PeerID] = []
  private let limitAuthors: Int
  /// What was made last, until there is another line or fork.
  private var made: (seated: [PeerID], lines: [RoomState.ChatLine])?

  /// Whether nobody has said anything: most rooms, whose states are read often.
  var isEmpty: Bool { said.isEmpty }

  init(seats: Int) { limitAuthors = RoomState.limitOnlookersLines + seats + 1 }

  mutating func add(_ position: Int, by author: PeerID) {
    made = nil
    said[author, default: []].append(UInt32(clamping: position))
    if said[author]?.count == 1 { note(author) }
  }

  private mutating func note(_ author: PeerID) {
    if authors.count == limitAuthors {
      guard let lowest = authors.first, lowest < author else { return }
      authors.removeFirst()
    }
    authors.insert(author, at: authors.partitioningIndex { $0 >= author })
  }

  /// A feed is forked, or at an earlier place.
  mutating func noteFork() { made = nil }

  /// The last lines, authors by key.
  /// - Parameter seated: who sits in the room, and its creator.
  mutating func lines(seated: [PeerID], _ facts: Facts) -> [RoomState.ChatLine] {
    if let made, made.seated == seated { return made.lines }
    var pieces: [(author: PeerID, lines: ArraySlice<UInt32>)] = []
    let known = Set(seated)
    // tidy: order does not matter because they are put in order below
    for author in known { pieces.append((author, last(of: author, RoomState.limitChatLines, facts))) }
    var left = RoomState.limitOnlookersLines
    for author in authors.reversed() where left > 0 && !known.contains(author) {
      let lines = last(of: author, min(left, RoomState.limitChatLines), facts)
      pieces.append((author, lines))
      left -= lines.count
    }
    pieces.sort { $0.author < $1.author }
    let lines = pieces.flatMap { piece in piece.lines.map { RoomState.ChatLine(facts.event(Int($0))) } }
    made = (seated, lines)
    return lines
  }

  /// Where an author's last lines before any fork stand.
  private func last(of author: PeerID, _ count: Int, _ facts: Facts) -> ArraySlice<UInt32> {
    guard let all = said[author] else { return [] }
    let fork = facts.graph.forks[author] ?? .max
    return all[..<all.partitioningIndex { facts.graph.sequence(Int($0)) >= fork }].suffix(count)
  }
}
