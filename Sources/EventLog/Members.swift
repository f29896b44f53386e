package import Events

/// The members of a room as far as its log tells: its founders, and the peers whose requests the creator has granted on
/// the branch of its feed that came first (Docs/PROTOCOL.md §3.2).
package struct Members: Sendable {
  /// The room's creator; none while its `create` is not here.
  package private(set) var creator = PeerID.none
  /// Whether members name each other, and not the creator alone.
  package private(set) var isGames = true
  private var referee = PeerID.none
  /// The position of each member's first grant.
  private var grants: [PeerID: Int] = [:]

  init() {}

  /// The founders of the room that an event creates.
  init(create event: Event) {
    guard case .create(let create) = event.action else { return }
    creator = event.author
    referee = create.referee
    isGames = create.isGames
  }

  /// Whether somebody is a member without a grant: the creator or the referee.
  package func isFounder(_ peer: PeerID) -> Bool { peer.isSome && (peer == creator || peer == referee) }

  /// Whether somebody is a member.
  package func contains(_ peer: PeerID) -> Bool { isFounder(peer) || grants[peer] != nil }

  /// The position of the first grant of a peer's request.
  package func grant(of peer: PeerID) -> Int? { grants[peer] }

  mutating func note(grant position: Int, to peer: PeerID) {
    if grants[peer] == nil { grants[peer] = position }
  }
}
