/// An entry of a hosted round between its author and the host (Docs/PROTOCOL.md §1.10).
package enum SealedEntry {
  /// Seals a choice to the host.
  /// - Parameter salt: another one for each entry, which nobody else can make.
  /// - Returns: `nil` where the host's key is none to which something can be sealed.
  package static func seal(
    _ choice: [UInt8], salt: Digest, room: RoomID, opening: EventID, author: PeerID, host: PeerID
  ) -> HostedAction.Entry? {
    let secret = Commitments.boxSecret(salt: salt, opening: opening, author: author)
    return SealedBox.seal(salt.bytes.bytes + choice, to: host, secret: secret).map { box in
      .sealed(
        commitment: Commitments.entry(choice, salt: salt, room: room, opening: opening, author: author),
        box: box)
    }
  }

  /// What the host finds in an entry; `nil` where its box and its commitment do not say the same.
  package static func open(
    _ entry: HostedAction.Entry, room: RoomID, opening: EventID, author: PeerID, host: any Signer
  ) -> HostedAction.OpenedEntry? {
    guard case .sealed(_, let box) = entry, let message = host.open(box), message.count >= 32 else {
      return nil
    }
    let opened = HostedAction.OpenedEntry(
      choice: Array(message[32...]), salt: Digest(Bytes32(message, at: 0)))
    return isWhole(opened, entry, room: room, opening: opening, author: author, host: host.peer)
      ? opened : nil
  }

  /// What the author of an entry finds in it, who alone knows its salt; `nil` where it is no entry with this salt.
  package static func reopen(
    _ entry: HostedAction.Entry, salt: Digest, room: RoomID, opening: EventID, author: PeerID, host: PeerID
  ) -> HostedAction.OpenedEntry? {
    let secret = Commitments.boxSecret(salt: salt, opening: opening, author: author)
    guard case .sealed(_, let box) = entry,
      let message = SealedBox.reopen(box, to: host, secret: secret), message.count >= 32
    else { return nil }
    let opened = HostedAction.OpenedEntry(choice: Array(message[32...]), salt: salt)
    return isWhole(opened, entry, room: room, opening: opening, author: author, host: host) ? opened : nil
  }

  /// Whether a choice and a salt are those of an entry's commitment.
  package static func fits(
    _ opened: HostedAction.OpenedEntry, _ entry: HostedAction.Entry, room: RoomID, opening: EventID,
    author: PeerID
  ) -> Bool {
    guard case .sealed(let commitment, _) = entry else { return false }
    return commitment
      == Commitments.entry(opened.choice, salt: opened.salt, room: room, opening: opening, author: author)
  }

  /// Whether a choice and a salt give both the commitment and the box of an entry, so that the host could read it.
  package static func isWhole(
    _ opened: HostedAction.OpenedEntry, _ entry: HostedAction.Entry, room: RoomID, opening: EventID,
    author: PeerID, host: PeerID
  ) -> Bool {
    seal(opened.choice, salt: opened.salt, room: room, opening: opening, author: author, host: host) == entry
  }
}

/// The solution of a round as the host tells it to one player alone, with the salt of its commitment
/// (Docs/PROTOCOL.md §1.10).
package enum ToldSolution {
  /// Seals a solution to a player. Whoever learns the salt later can make the box again.
  /// - Parameter named: the key that the player has named; where nothing can be sealed to it, that counts as none.
  /// - Returns: `nil` where the player's key is none to which something can be sealed.
  package static func seal(
    _ solution: [UInt8], salt: Digest, room: RoomID, round: UInt16, to player: PeerID, named: [UInt8]? = nil
  ) -> [UInt8]? {
    let secret = Commitments.toldSecret(salt: salt, room: room, round: round, player: player)
    let message = salt.bytes.bytes + solution
    return named.flatMap { SealedBox.seal(message, to: player, named: $0, secret: secret) }
      ?? SealedBox.seal(message, to: player, secret: secret)
  }

  /// What a player was told, from what was in its box; `nil` for what can be nothing of the kind.
  package static func read(_ message: [UInt8]) -> HostedAction.OpenedEntry? {
    guard message.count >= 32 else { return nil }
    return HostedAction.OpenedEntry(choice: Array(message[32...]), salt: Digest(Bytes32(message, at: 0)))
  }
}
