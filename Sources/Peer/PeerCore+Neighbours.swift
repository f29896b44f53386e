package import EventLog
package import Events
package import Gossip

// Neighbours: other processes that hold rooms too.

extension PeerCore {
  /// A connection stands, with a peer whose identity was proven.
  /// - Parameters:
  ///   - isNearby: whether rooms of local scope may travel over it; both ends must see that alike.
  package mutating func connect(_ neighbour: Neighbour, as peer: PeerID, isNearby: Bool, at now: Tick) {
    carryOut(
      gossip.connect(neighbour, as: peer, isNearby: isNearby, begins: id < peer, at: now))
  }

  /// A connection is gone.
  package mutating func disconnect(_ neighbour: Neighbour, at now: Tick) {
    // What it has shown of this peer's own feeds counts when it is gone.
    if ownHeads.certainty == .doubtful {
      for room in openRooms where ownHeads.needsEvidence(room) { _ = writingRefusal(in: room) }
    }
    carryOut(gossip.disconnect(neighbour, at: now))
  }

  /// Takes a message, whatever it is.
  package mutating func receive(_ bytes: [UInt8], from neighbour: Neighbour, at now: Tick) {
    receive(ReadMessage(bytes, hasher: hasher, scheme: nil), from: neighbour, at: now)
  }

  /// Takes a message that was read already, with `reader`.
  package mutating func receive(_ message: ReadMessage, from neighbour: Neighbour, at now: Tick) {
    carryOut(gossip.receive(message, from: neighbour, at: now))
  }

  /// Reads messages, anywhere.
  package var reader: @Sendable ([UInt8]) -> ReadMessage {
    { [hasher, scheme = gossip.scheme] bytes in ReadMessage(bytes, hasher: hasher, scheme: scheme) }
  }

  /// Takes runs that another process of this peer's data folder has made.
  /// - Parameter isMade: whether that process has made the room as well.
  /// - Throws: when one is not what its author signed, or waits for events that are not here; and when this peer
  ///   may not
  ///   write into the room.
  package mutating func adopt(_ message: RunsMessage, isMade: Bool, isLast: Bool) throws(PeerError) {
    if isMade { ownHeads.noteMade(message.room) }
    if let refusal = writingRefusal(in: message.room) { throw refusal }
    do throws(LogError) { try gossip.adopt(message) } catch { throw .log(error.description) }
    guard isLast else { return }
    let last = message.runs.compactMap(\.events.last)
    let isWhole = withLog(of: message.room) { log in last.allSatisfy { log.contains($0.id) } }
    guard isWhole == true else { throw .log("the events of room \(message.room.short) are not complete") }
  }

  /// Takes an event of a peer that holds its own key and hands it over itself, as over a socket: it is checked like a
  /// neighbour's.
  /// - Throws: why it was not taken.
  package mutating func take(
    _ event: Event, _ signature: Signature, ofAuthorIn room: RoomID
  ) throws(PeerError) {
    guard !keys.contains(event.author) else {
      throw .notAllowed("the key of that event is one of this process's own")
    }
    let run = Run(events: [event], signature: signature)
    do throws(LogError) { try gossip.take(run, ofAuthorIn: room) } catch {
      throw .notAllowed("that event was not taken: \(error.description)")
    }
  }

  /// Time has passed.
  package mutating func advance(to now: Tick) { carryOut(gossip.advance(to: now)) }

  /// When `advance` has something to do.
  package var deadline: Tick? { @_effects(readonly) get { gossip.deadline } }

  /// Limits what this peer wants, besides rooms that name it or were asked for; `nil` lifts the limit.
  package mutating func subscribe(to wanted: Interest?, at now: Tick) {
    carryOut(gossip.subscribe(to: wanted, at: now))
  }

  /// Somebody here asks for the rooms whose ids begin so: they are taken in, whatever their edition.
  package mutating func ask(for prefix: RoomPrefix, at now: Tick) {
    carryOut(gossip.ask(for: prefix, at: now))
  }

  /// Whether this peer knows how far its own feeds go.
  package var recovery: OwnFeedWatch.Recovery { @_effects(readonly) get { gossip.replica.recovery } }

  /// Whether a neighbour was last found to hold all that both may share, and nothing of that has changed here since.
  package mutating func isEqual(with neighbour: Neighbour) -> Bool { gossip.offers.isEqual(with: neighbour) }

  /// Compares with a neighbour once more, without waiting for its turn.
  package mutating func compareAgain(with neighbour: Neighbour, at now: Tick) {
    carryOut(gossip.compareAgain(with: neighbour, at: now))
  }

  /// Takes what is to be sent now: of what a neighbour asked for, as much as goes at once.
  /// - Parameter isReady: whether more can be sent to a neighbour; what it asked for waits otherwise.
  package mutating func takeOutbox(
    at now: Tick, isReady: (Neighbour) -> Bool = { _ in true }
  ) -> [Outgoing] {
    for neighbour in gossip.offers.servedNeighbours where isReady(neighbour) {
      while let message = gossip.offers.nextServed(to: neighbour, at: now) {
        effects.send(message, to: neighbour)
        guard isReady(neighbour) else { break }
      }
    }
    return effects.takeOutbox()
  }

  /// Takes the rooms of which all was sent, or has come, that was asked for: they may be closed.
  package mutating func takeUnneeded() -> [RoomID] { gossip.rooms.takeUnneeded() }

  mutating func carryOut(_ directives: [Directive]) {
    for directive in directives {
      if case .taken(_, let events) = directive { noteOwn(events) }
      effects.add(directive)
    }
  }
}
