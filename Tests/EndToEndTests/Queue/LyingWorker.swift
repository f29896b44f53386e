import EventLog
import Events
import Games
import Peer
import Queue
import SearchBots
import Testing

@testable import BotKit

/// A worker that has all that jobs give and does not play as it should.
struct LyingWorker {
  enum Lie: Int, CaseIterable { case otherMoves, otherSignature, unplayed }

  let source: JobSource

  /// Takes jobs, and gives back as many lies.
  func lie(_ count: Int) async throws {
    let bots = BotCatalog(SearchBots.families)
    for number in 0..<count {
      var found: JobSource.Lease?
      while found == nil { found = try await source.job() }
      let lease = try #require(found)
      let job = try Job(encoded: lease.bytes)
      let room = try JobRoom(job, Games.catalog)
      let bundle: [UInt8]
      switch Lie.allCases[number % Lie.allCases.count] {
      case .unplayed: bundle = job.bundle
      case .otherMoves:
        // Other random numbers give legal moves, well signed, that are not those of the bots.
        let other = Job(round: job.round &+ 1, pairing: job.pairing, seats: job.seats, bundle: job.bundle)
        let log = try #require(try await other.play(room, Games.catalog, bots) { false })
        bundle = try log.bundle(of: room.network)
      case .otherSignature:
        let log = try #require(try await job.play(room, Games.catalog, bots) { false })
        let key = SigningKey(seed: [UInt8](repeating: 9, count: 32))
        var signed = RoomLog(room: log.room)
        for entry in log.entries {
          signed.restore(entry.event, signature: entry.signature.map { _ in key.sign(entry.event.id) })
        }
        bundle = try signed.bundle(of: room.network)
      }
      let answer = JobAnswer(room: room.room, worker: "Liar", .played(bundle: bundle))
      #expect(try await lease.answer(answer, id: "lie \(number) \(room.room)"))
    }
  }
}
