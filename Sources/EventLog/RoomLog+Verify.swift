public import Events

/// Two events of one author with one sequence, each on a branch that ends in a verified signature.
public struct ForkProof: Hashable, Sendable {
  /// Whose feed is forked.
  public let author: PeerID
  /// The lowest sequence at which the branches differ.
  public let sequence: UInt64
  /// The events at that sequence, ascending by id; at least two.
  public let events: [EventID]
}

/// What a full check of a room found.
public struct RoomReport: Hashable, Sendable {
  /// Whether every event is what its author signed and has all that it names before it.
  public let isValid: Bool
  /// The first bad event, when it is known.
  public let event: EventID?
  /// What is wrong with it.
  public let reason: String?
  /// Forks found; a room with forks is valid.
  public let forks: [ForkProof]
}

extension RoomLog {
  /// The forks here, in the order of the feeds.
  package var forkProofs: [ForkProof] {
    feeds.compactMap { feed in
      guard let fork = feed.forkSequence, fork >= 1, fork <= feed.last else { return nil }
      var ids = [entries[feed.positions[Int(fork) - 1]].event.id]
      for branch in feed.branches {
        if let first = branch.first, entries[first].event.sequence == fork {
          ids.append(entries[first].event.id)
        }
      }
      return ForkProof(author: feed.author, sequence: fork, events: ids.sorted())
    }
  }

  /// Checks everything again: ids, rooms, links, signatures, and that every feed ends in a signed event.
  package func report(hasher: EventHasher, scheme: some SignatureScheme) -> RoomReport {
    var verifier = RoomVerifier(room: room, hasher: hasher, scheme: scheme, capacity: entries.count)
    do throws(RoomVerifier.Fault) {
      for entry in entries { try verifier.take(EventView(entry.event), signature: entry.signature) }
      try verifier.finish()
      return RoomReport(isValid: true, event: nil, reason: nil, forks: forkProofs)
    } catch {
      return RoomReport(LogError(error), forks: forkProofs)
    }
  }
}

extension RoomReport {
  /// The report of a room that a store refused to load.
  init(_ error: LogError, forks: [ForkProof] = []) {
    isValid = false
    self.forks = forks
    if case .corrupt(let event, let reason) = error {
      self.event = event
      self.reason = reason
    } else {
      event = nil
      reason = error.description
    }
  }
}

extension EventLog {
  /// Checks a stored room fully. What the store cannot read is reported, not thrown.
  /// - Throws: only what says nothing of the room's content: it is unknown, or the store cannot be read.
  package func verify(_ room: RoomID) throws(LogError) -> RoomReport {
    do throws(LogError) {
      let log = try load(room, verify: true)
      return RoomReport(isValid: true, event: nil, reason: nil, forks: log.forkProofs)
    } catch {
      guard case .corrupt = error else { throw error }
      return RoomReport(error)
    }
  }
}
