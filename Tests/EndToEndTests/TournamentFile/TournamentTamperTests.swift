import Events
import Foundation
import Peer
import TestKit
import Testing
import Tournaments

@testable import EventLog

/// Somebody who gains by it changes a tournament's file, at each of its results.
@Suite struct TournamentTamperTests {
  /// Nine kinds at each result of tournaments of ten results. `PARLOR_TAMPERED_TOURNAMENTS` sets how many there are,
  /// 18 without it.
  @Test func everyTamperingIsNamed() async throws {
    let folder = try TemporaryFolder()
    let samples = try Samples(folder.file("data"))
    let entrants = [String](repeating: "random", count: 5)
    var other: TournamentParts?
    for seed in 0...Effort.size(9, quick: 2, variable: "PARLOR_TAMPERED_TOURNAMENTS") {
      let tournament = try await samples.tournament(entrants, games: 1, seed: UInt64(seed))
      let parts = try TournamentParts(tournament, in: samples.log)
      if let other { try tamper(with: parts, other: other, samples) }
      other = parts
    }
  }

  /// A file that is cut off anywhere, or has another byte in its heading or its lengths, proves nothing whole; and it
  /// does not matter in which pieces it comes.
  @Test func noOtherFileIsWhole() async throws {
    let folder = try TemporaryFolder()
    let samples = try Samples(folder.file("data"))
    let tournament = try await samples.tournament(["random", "random"], games: 1)
    let parts = try TournamentParts(tournament, in: samples.log)
    let bytes = parts.bytes
    for pieces in [1, 7, 1000] {
      #expect(try TournamentProof.of(bytes, pieces: pieces).findings == [])
    }
    for end in 0..<bytes.count { #expect(!isProven(Array(bytes[..<end])), "cut at \(end)") }
    #expect(!isProven(bytes + [0]))
    let heading = 8 + 32 + 4 + 32 * 2
    let second = heading + 8 + parts.bundles[0].count
    for place in Array(0..<heading + 8) + Array(second..<second + 8) {
      for bit in 0..<8 {
        var other = bytes
        other[place] ^= 1 << UInt8(bit)
        #expect(!isProven(other), "bit \(bit) of byte \(place)")
      }
    }
  }

  private func isProven(_ bytes: [UInt8]) -> Bool {
    do {
      let proof = try TournamentProof.of(bytes)
      return proof.fault == nil && !proof.isUnproven
    } catch { return false }
  }

  /// Tampers with each game of a tournament in every way.
  private func tamper(with parts: TournamentParts, other: TournamentParts, _ samples: Samples) throws {
    let honest = try TournamentProof.of(parts.bytes)
    let digest = try honest.tournament?.standingsDigest()
    #expect(honest.findings == [] && honest.rooms == 11)
    for number in 1..<parts.rooms.count {
      let (told, word) = try samples.retold(parts.rooms[0], of: parts.rooms[number])
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
