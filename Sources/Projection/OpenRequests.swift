import Events
internal import Synchronization

/// The requests of a room that wait for a grant, as far as the lobby was looked through.
///
/// Anybody may ask, with as many keys as he likes: what comes is added to what was found, and not all found anew.
struct OpenRequests: Sendable {
  /// How many there are at most in one piece of the list: to add one moves so many.
  private static let limitPiece = 64

  /// Ascending by peer and id, in pieces of which none is empty.
  private var pieces: [[RoomState.OpenRequest]] = []
  /// How many requests and leavings were looked at; `nil` when all is to be found anew.
  private var seen: (requests: Int, leavings: Int)?
  /// Whose requests are to be looked at again.
  private var again: Set<PeerID> = []

  /// All of them, ascending by peer and id.
  var list: RequestList { RequestList(pieces) }

  /// Something may have changed that all requests depend on.
  mutating func findAnew() { seen = nil }

  /// Something may have changed that the requests of a peer depend on, and no others.
  mutating func readAgain(_ peer: PeerID) { again.insert(peer) }

  /// Looks at what is new in the lobby.
  /// - Parameter anchors: which events are anchored; `nil` when all are.
  mutating func advance(_ facts: Facts, _ roster: Roster, _ anchors: Anchors?) {
    let lobby = facts.lobby
    defer {
      seen = (lobby.requests.count, lobby.leavings.count)
      again = []
    }
    guard let seen else {
      let all = roster.openRequests(among: lobby.requests, facts, anchors)
      pieces = stride(from: 0, to: all.count, by: Self.limitPiece / 2).map { first in
        Array(all[first..<min(first + Self.limitPiece / 2, all.count)])
      }
      return
    }
    for position in lobby.requests[seen.requests...] { again.insert(facts.author(position)) }
    for position in lobby.leavings[seen.leavings...] { again.insert(facts.author(position)) }
    var positions: [Int] = []
    // tidy: order does not matter because each has a place of its own in the list
    for author in again {
      removeAll(of: author)
      positions += facts.lobby(of: author, .request)
    }
    for request in roster.openRequests(among: positions, facts, anchors) { insert(request) }
  }

  /// The first piece whose last request comes not before some place.
  private func piece(where comesBefore: (RoomState.OpenRequest) -> Bool) -> Int {
    pieces.partitioningIndex { !comesBefore($0[$0.count - 1]) }
  }

  private mutating func insert(_ request: RoomState.OpenRequest) {
    let found = piece { RoomState.OpenRequest.precedes($0, request) }
    guard found < pieces.count else {
      if pieces.isEmpty || pieces[found - 1].count >= Self.limitPiece { pieces.append([]) }
      return pieces[pieces.count - 1].append(request)
    }
    let at = pieces[found].firstIndex { RoomState.OpenRequest.precedes(request, $0) } ?? pieces[found].count
    pieces[found].insert(request, at: at)
    guard pieces[found].count > Self.limitPiece else { return }
    let half = pieces[found].count / 2
    pieces.insert(Array(pieces[found][half...]), at: found + 1)
    pieces[found].removeLast(pieces[found].count - half)
  }

  /// Takes out what a peer has asked for.
  private mutating func removeAll(of peer: PeerID) {
    var at = piece { $0.peer < peer }
    while at < pieces.count, pieces[at].contains(where: { $0.peer == peer }) {
      pieces[at].removeAll { $0.peer == peer }
      if pieces[at].isEmpty { pieces.remove(at: at) } else { at += 1 }
    }
  }
}

/// Requests as a state has them: in pieces, and in one list once somebody asks for that.
final class RequestList: Sendable {
  private let pieces: [[RoomState.OpenRequest]]
  private let joined = Mutex<[RoomState.OpenRequest]?>(nil)

  init(_ pieces: [[RoomState.OpenRequest]] = []) { self.pieces = pieces }

  /// All of them.
  var all: [RoomState.OpenRequest] {
    if pieces.count <= 1 { return pieces.first ?? [] }
    return joined.withLock { joined in
      if let joined { return joined }
      let all = Array(pieces.joined())
      joined = all
      return all
    }
  }
}

extension RoomState.OpenRequest {
  /// Requests are told in the order of their authors and ids, which is the same for everybody.
  static func precedes(_ a: Self, _ b: Self) -> Bool { (a.peer, a.id) < (b.peer, b.id) }
}
