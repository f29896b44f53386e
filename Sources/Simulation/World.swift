import BotKit
import Events
import Peer

/// The simulated world: peers with their disks and clocks, the rooms that they share, the network between them, and one
/// queue of what happens next.
///
/// What goes wrong in it, and what must hold of it, is up to the run.
struct World: ~Copyable {
  /// Something that happens.
  enum Step {
    case deliver(Packet)
    /// A peer looks at its rooms and does something.
    case act(peer: Int, life: Int)
    case timer(peer: Int, life: Int)
    case committed(peer: Int, life: Int)
    case start(peer: Int, copy: Disk?)
    /// An end of a connection notices that the other is gone.
    case loseConnection(Int, end: Int)
    /// A peer hears of a room.
    case hear(peer: Int, room: Int)
    /// A room has been read from a peer's disk.
    case loaded(peer: Int, life: Int, room: RoomID)
    /// A fault has its moment.
    case strike(Fault)
    /// Connections that are wanted are opened.
    case connect
    /// Links between peers come and go.
    case rewire
    /// Faults end.
    case heal
    /// Nobody begins anything new.
    case calmDown
    /// Whether all is alike now.
    case compare
  }

  /// Where a run is.
  enum Phase: Int, Comparable {
    case safety
    /// Faults have ended; games are brought to an end.
    case closing
    /// Nobody writes but what is owed.
    case quiet
    /// All is alike; only what is said without need is counted.
    case settled
    case over

    static func < (a: Phase, b: Phase) -> Bool { a.rawValue < b.rawValue }
  }

  let options: SimulationOptions
  let plan: Plan
  var record: RunRecord
  var time: UInt64 = 0
  var phase = Phase.safety
  var schedule = Schedule<Step>()
  var peers: [SimulatedPeer] = []
  let scheme: any SignatureScheme
  var network: Network
  var wiring: Wiring
  var rooms: SimulatedRooms
  var ledger = Ledger()
  var finality: FinalityCheck
  var adversary: Adversary
  var luck: Luck

  init(_ options: SimulationOptions, trace: ((String) -> Void)?) {
    self.options = options
    record = RunRecord(trace: trace)
    let plan = Plan(options)
    self.plan = plan
    let count = plan.mischief.count
    network = Network(
      plan.network, peers: count, random: RandomStream(seed: options.seed, for: .network))
    wiring = Wiring(peers: count)
    luck = Luck(seed: options.seed)
    finality = FinalityCheck(peers: count)
    rooms = SimulatedRooms(plan)
    var keyRandom = RandomStream(seed: options.seed, for: .keys)
    // Those of peers first, then the strangers' of each fraudster.
    let strangers = plan.fraudulent.count * Fraudster.strangers
    let seeds = (0..<count + strangers).map { _ in keyRandom.bytes(32) }
    let signers: [any Signer]
    if options.usesRealKeys {
      signers = seeds.map { SigningKey(seed: $0) }
      scheme = Ed25519()
    } else {
      let takesBoxes = plan.rooms.contains { $0.isHosted }
      let keys = seeds.map { StandInKey(seed: $0, takesBoxes: takesBoxes) }
      signers = keys
      scheme = StandInScheme(keys)
    }
    adversary = Adversary(plan, signers, seed: options.seed)
    let used: any SignatureScheme =
      options.planted == .takesAnySignature ? CredulousScheme() : scheme
    for (number, signer) in signers.prefix(count).enumerated() {
      let mischief = plan.mischief[number]
      peers.append(
        SimulatedPeer(
          number: number, signer: mischief.contains(.forgery) ? ForgingSigner(honest: signer) : signer,
          scheme: used, settings: options.planted?.settings ?? .simulated, mischief: mischief,
          random: RandomStream(seed: options.seed, for: .play, number)))
    }
  }

  /// Whether a peer's program is in one of its lives.
  func isAlive(_ peer: Int, _ life: Int) -> Bool { peers[peer].isUp && peers[peer].life == life }

  // MARK: - Telling

  /// Writes a line of the trace.
  func tell(_ words: @autoclosure () -> String) { record.tell(words(), at: time) }

  /// Notes something that must not happen.
  mutating func violate(
    _ promise: Violation.Promise, peer: Int? = nil, room: Int? = nil, _ words: String
  ) {
    let violation = Violation(promise: promise, time: time, peer: peer, room: room, words: words)
    guard record.note(violation), record.isTraced, let room = room.flatMap({ rooms[$0].id }) else { return }
    for other in peers.indices where peer == nil ? plan.honest.contains(other) : other == peer {
      tellRoom(room, of: other)
    }
  }

  /// Writes what a peer has of a room into the trace.
  private func tellRoom(_ room: RoomID, of peer: Int) {
    guard peers[peer].isUp, let log = peers[peer].faces[0].log(of: room) else { return }
    tell("peer \(peer) has of room \(room.short):")
    let lines = RoomWords.lines(log) { author in
      peers.firstIndex { $0.id == author }.map(String.init) ?? author.short
    }
    for line in lines { tell("  \(line)") }
  }
}
