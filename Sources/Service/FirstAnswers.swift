package import Events

/// The first answers of others, for which a command waits that looks once: a value that is told what is so, and when.
package struct FirstAnswers {
  /// How it stands.
  package enum Standing: Hashable {
    case waiting
    /// What can be known is known.
    case complete
    /// Not everybody has answered, and that is not waited for any longer.
    case late
  }

  /// How long peers nearby may take to be found.
  private static let discoveryMilliseconds: UInt64 = 3_000
  /// How long peers may take after that to hold the same as this one. Some never do: they limit what they want, or say
  /// nothing at all.
  package static let patienceMilliseconds: UInt64 = 15_000

  /// From when on answers count, and when nobody is waited for any longer.
  package let beginMilliseconds: UInt64
  package let endMilliseconds: UInt64

  /// - Parameter now: milliseconds of a clock that only goes forward.
  package init(looksNearby: Bool, atMilliseconds now: UInt64) {
    beginMilliseconds = now + (looksNearby ? Self.discoveryMilliseconds : 0)
    endMilliseconds = beginMilliseconds + Self.patienceMilliseconds
  }

  /// - Parameters:
  ///   - equal: those of the neighbours who hold the same as this peer.
  ///   - hasLookedAround: whether all peers nearby that are there are among the neighbours.
  package func standing(
    _ neighbours: [NeighbourStatus], equal: Set<PeerID>, hasLookedAround: Bool = false,
    atMilliseconds now: UInt64
  ) -> Standing {
    guard now < endMilliseconds else { return .late }
    let isComplete = neighbours.allSatisfy { status in
      guard status.state == .connected else { return status.reason != nil }
      return status.peer.map(equal.contains) ?? true
    }
    return isComplete && (hasLookedAround || now >= beginMilliseconds) ? .complete : .waiting
  }
}
