import EventLog
import Events
import Games
import Peer
import Service

/// A host of whole peers: a key, the data folder with its disk, and the peer that runs there.
struct ServiceHost {
  /// A peer from a start to a crash.
  struct Life {
    let service: PeerService
    let store: SimulatedStore
    let streams: SimulatedStreams
    var playing: Task<Void, Never>?
    /// Where it serves its page, if it does.
    var page: SimulatedPage?

    /// Ends what is left of it.
    nonisolated(nonsending) func end() async {
      await page?.close()
      await service.close()
      await playing?.value
    }
  }

  let key: SigningKey
  var disk = MemoryEventLog(network: .standard)
  let marks: SimulatedMarks
  var life: Life?
  /// Whether it is there, and not gone for good.
  var isPresent: Bool
  var isStarting = false

  /// The host at a place of a plan: that of an organizer that goes on elsewhere has its key, and comes last.
  init(_ number: Int, of plan: ServicePlan) {
    let isSecond = number == plan.peers
    var seed = Blake2b(domain: "parlor-simulation-service")
    seed.update(bigEndian: plan.seed)
    seed.update(bigEndian: UInt64(isSecond ? 0 : number))
    key = SigningKey(seed: seed.digest().bytes)
    marks = SimulatedMarks(isImported: isSecond)
    isPresent = !isSecond
  }

  var peer: PeerID { key.peer }

  /// A tournament as the disk holds it.
  func stored(_ tournament: RoomID) -> StoredTournament { StoredTournament(room: tournament, disk: disk) }

  /// A core of its key that knows nothing of the program which runs.
  func core(now: @escaping @Sendable () -> UInt64) -> PeerCore {
    PeerCore(
      signer: key, network: .standard, catalog: Games.catalog, scheme: Ed25519(), seed: 1, now: now)
  }
}

extension [ServiceHost] {
  /// Those that are not gone for good, in order.
  var present: [Int] { indices.filter { self[$0].isPresent } }
}
