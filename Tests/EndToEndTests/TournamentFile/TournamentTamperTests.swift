import Events
import Foundation
import Peer
import TestKit
import Testing
import Tournaments

@testable import EventLog

/// Somebody who gains by it changes a tournament's file, at each of its results.
@Suite struct TournamentTamperTests {
  /// `PARLOR_TAMPERED_ENTRANTS` sets how many entrants play, each with each.
  @Test func everyTamperingIsNamed() async throws {
    let folder = try TemporaryFolder()
    let samples = try Samples(folder.file("data"))
    let count = Effort.size(14, quick: 7, variable: "PARLOR_TAMPERED_ENTRANTS")
    let entrants = [String](repeating: "random", count: count)
    let tournament = try await samples.tournament(entrants, games: 1)
    let other = try TournamentParts(try await samples.tournament(entrants, games: 1), in: samples.log)
    let parts = try TournamentParts(tournament, in: samples.log)
    let honest = try TournamentProof.of(parts.bytes)
    let digest = try honest.tournament?.standingsDigest()
    #expect(honest.findings == [] && honest.rooms == 1 + count * (count - 1) / 2)
    for number in 1..<parts.rooms.count {
      let (told, word) = try samples.retold(tournament, of: parts.rooms[number])
      for kind in TournamentParts.Tampering.allCases {
        let tampered = parts.tampered(kind, at: number, other: other, told: told)
        let proof = try expectNamed(kind, at: number, of: parts, tampered, word: word)
        // Nobody gains: what is told of the standings is what the signatures give.
        guard let proof else { continue }
        #expect(try proof.tournament?.standingsDigest() == digest, "\(kind) at \(number)")
      }
    }
  }

  /// What is changed is named by its room, and by its pairing where the tournament's own room tells which that is.
  /// - Returns: what the file proves; `nil` where it is refused.
  private func expectNamed(
    _ kind: TournamentParts.Tampering, at number: Int, of parts: TournamentParts, _ tampered: TournamentParts,
    word: EventID
  ) throws -> TournamentProof? {
    let what: Comment = "\(kind) at \(number)"
    guard kind != .doubled else {
      #expect(throws: BundleError.badRooms("it names a room twice"), what) {
        try TournamentProof.of(tampered.bytes)
      }
      return nil
    }
    let proof = try TournamentProof.of(tampered.bytes)
    let room = parts.rooms[number]
    // Rooms stand in the order of their pairings.
    let pairing = PairingNumber(UInt32(number) - 1)
    let unproven = proof.findings.contains {
      $0.kind == .notProven && $0.room == room && $0.pairing == pairing
    }
    let isFalse = proof.findings.contains {
      $0.kind == .isFalse && $0.room == room && $0.pairing == pairing
    }
    switch kind {
    case .byte, .signature: #expect(isFalse && unproven, what)
    case .swapped:
      #expect(isFalse && proof.fault?.event == word, what)
      #expect(proof.fault?.reason.hasPrefix("void") == true, what)
    case .removed: #expect(proof.fault == nil && unproven, what)
    case .foreign: #expect(proof.fault?.room == tampered.rooms[number] && unproven, what)
    case .reordered:
      #expect(proof.fault?.room.map { $0 == room || $0 == parts.rooms[max(1, number - 1)] } == true, what)
    case .cut, .ended:
      #expect(proof.fault?.reason.contains("the file ends too early") == true && unproven, what)
    case .doubled: break
    }
    return proof
  }
}
