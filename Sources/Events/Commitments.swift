/// The hashes that bind choices, draws and rosters (Docs/PROTOCOL.md §1.5).
package enum Commitments {
  /// Binds one seat's choice in one round.
  package static func choice(
    _ choice: UInt32, salt: Digest, room: RoomID, game: UInt16, round: UInt16, seat: UInt16, author: PeerID
  ) -> Digest {
    var hash = Blake2b(domain: "parlor-choice-1", key: salt.bytes)
    hash.update(room)
    hash.update(bigEndian: game)
    hash.update(bigEndian: round)
    hash.update(bigEndian: seat)
    hash.update(author)
    hash.update(bigEndian: choice)
    return Digest(hash.digest())
  }

  /// The seed of a round's chance: all salts, by seat, that its reveals opened.
  ///
  /// The room is not in it, so that salts that repeat in another room repeat the chance too; each salt is bound to a
  /// room by its commitment.
  package static func chance(game: UInt16, round: UInt16, salts: [Digest]) -> UInt64 {
    var hash = Blake2b(domain: "parlor-chance-1")
    hash.update(bigEndian: game)
    hash.update(bigEndian: round)
    for salt in salts { hash.update(salt) }
    return hash.digest().prefix64
  }

  /// Binds what a player enters in a hosted round.
  package static func entry(
    _ choice: [UInt8], salt: Digest, room: RoomID, opening: EventID, author: PeerID
  ) -> Digest {
    var hash = Blake2b(domain: "parlor-entry-1", key: salt.bytes)
    hash.update(room)
    hash.update(opening)
    hash.update(author)
    hash.update(choice)
    return Digest(hash.digest())
  }

  /// Where the key pair comes from with which a player seals an entry to the host: whoever knows the salt can make the
  /// box again.
  package static func boxSecret(salt: Digest, opening: EventID, author: PeerID) -> Digest {
    var hash = Blake2b(domain: "parlor-entry-box-1", key: salt.bytes)
    hash.update(opening)
    hash.update(author)
    return Digest(hash.digest())
  }

  /// Binds the host to the solution of a round.
  package static func solution(
    _ solution: [UInt8], salt: Digest, room: RoomID, round: UInt16, content: [UInt8], author: PeerID
  ) -> Digest {
    var hash = Blake2b(domain: "parlor-solution-1", key: salt.bytes)
    hash.update(room)
    hash.update(bigEndian: round)
    hash.update(author)
    hash.update(bigEndian: UInt16(truncatingIfNeeded: content.count))
    hash.update(content)
    hash.update(solution)
    return Digest(hash.digest())
  }

  /// Where the key pair comes from with which the host tells a player the solution of a round: whoever knows the salt
  /// of the round's commitment can make the box again.
  package static func toldSecret(salt: Digest, room: RoomID, round: UInt16, player: PeerID) -> Digest {
    var hash = Blake2b(domain: "parlor-told-box-1", key: salt.bytes)
    hash.update(room)
    hash.update(bigEndian: round)
    hash.update(player)
    return Digest(hash.digest())
  }

  /// Binds one seat's part of the joint draw.
  package static func draw(
    nonce: Digest, room: RoomID, roster: Digest, seat: UInt16, author: PeerID
  ) -> Digest {
    var hash = Blake2b(domain: "parlor-draw-1", key: nonce.bytes)
    hash.update(room)
    hash.update(roster)
    hash.update(bigEndian: seat)
    hash.update(author)
    return Digest(hash.digest())
  }

  /// The seat that starts by the joint draw of all nonces, by seat.
  package static func starter(room: RoomID, nonces: [Digest]) -> UInt16 {
    var hash = Blake2b(domain: "parlor-joint-1")
    hash.update(room)
    for nonce in nonces { hash.update(nonce) }
    return UInt16(truncatingIfNeeded: hash.digest().prefix64 % UInt64(max(1, nonces.count)))
  }

  /// What decides an entrant's seed by the joint draw of all nonces, those of the entrants by seat and the organizer's
  /// last: who has less comes before.
  package static func seed(of peer: PeerID, room: RoomID, nonces: [Digest]) -> Digest {
    var hash = Blake2b(domain: "parlor-seed-1")
    hash.update(room)
    hash.update(peer)
    for nonce in nonces { hash.update(nonce) }
    return Digest(hash.digest())
  }

  /// The roster: by seat, who sits there and the grant that says so.
  package static func roster(room: RoomID, seats: [(author: PeerID, grant: EventID)]) -> Digest {
    var hash = Blake2b(domain: "parlor-roster-1")
    hash.update(room)
    for seat in seats {
      hash.update(seat.author)
      hash.update(seat.grant)
    }
    return Digest(hash.digest())
  }
}
