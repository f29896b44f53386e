public import Events
public import Rules

extension RoomState {
  /// How far a round of simultaneous choices is.
  public struct RoundProgress: Hashable, Sendable {
    /// What a seat has in the round.
    struct Part: Hashable, Sendable {
      var commit: EventID?
      var reveal: EventID?
    }

    /// By seat; none where no round is on.
    var parts: [Part] = []
    /// The commit of the referee, where it has a share in the round's chance.
    public internal(set) var refereeCommit: EventID?
    /// The referee's reveal.
    public internal(set) var refereeReveal: EventID?

    /// A seat's commit of the round that is on.
    public func commit(of seat: Seat) -> EventID? {
      parts.indices.contains(seat.index) ? parts[seat.index].commit : nil
    }

    /// A seat's reveal.
    public func reveal(of seat: Seat) -> EventID? {
      parts.indices.contains(seat.index) ? parts[seat.index].reveal : nil
    }

    /// How many seats have committed.
    public var committed: Int { parts.count { $0.commit != nil } }

    /// How many seats have revealed.
    public var revealed: Int { parts.count { $0.reveal != nil } }

    /// Each seat's commit of the round that is on, by seat.
    public var commits: [EventID] { parts.compactMap(\.commit) }

    /// Each seat's reveal, by seat.
    public var reveals: [EventID] { parts.compactMap(\.reveal) }
  }
}
