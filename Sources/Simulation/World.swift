import BotKit
import EventLog
import Events
import Gossip
import Peer
import Projection

/// A room of the simulation: what is planned, and the id once its creator has it safe.
struct SimulatedRoom: Sendable {
  let plan: RoomPlan
  /// The room's id, once its creation was acknowledged.
  var id: RoomID?
  /// In which life its creator tried to create it last, and the id that it would have.
  var attempt: (life: Int, id: RoomID)?
  /// When its creation was acknowledged.
  var createdAt: UInt64 = 0
}

/// One run of the simulator: peers, network, disks and clocks, driven by one queue of what happens next.
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
    /// The run is over.
    case end
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

  /// How long games may go on after faults have ended, in milliseconds.
  static let closingMilliseconds: UInt64 = 5_000
  /// How long is listened to those who have nothing to say.
  static let quietMilliseconds: UInt64 = 10_000
  /// The most messages a connection may carry then, both ways together, on average a second.
  static let limitQuietMessages = 4

  let options: SimulationOptions
  let plan: Plan
  let trace: ((String) -> Void)?
  var time: UInt64 = 0
  var phase = Phase.safety
  var schedule = Schedule<Step>()
  var peers: [SimulatedPeer] = []
  let scheme: any SignatureScheme
  var network: Network
  var wiring: Wiring
  var rooms: [SimulatedRoom] = []
  var ledger = Ledger()
  var finality: FinalityCheck
  var privacy = PrivacyCheck()
  var forgers: [Forger?]
  /// By peer: what a dishonest one writes with its own and with other keys.
  var fraudsters: [Fraudster?]
  var violations: [Violation] = []
  var statistics = RunStatistics()
  var digest = RunDigest()
  var luck: Luck
  /// Rooms that nobody planned: those of floods.
  var strays: [RoomID] = []
  /// The peer that is being restored, until it has everything back.
  var restoring: Int?
  /// When all was alike, and how many messages had been sent by then.
  var settledMessages = 0

  /// The most violations that a run tells.
  static let limitViolations = 20

  init(_ options: SimulationOptions, trace: ((String) -> Void)?) {
    self.options = options
    self.trace = trace
    let plan = Plan(options)
    self.plan = plan
    let count = plan.mischief.count
    network = Network(
      plan.network, peers: count, random: RandomStream(seed: options.seed, for: .network))
    wiring = Wiring(peers: count)
    luck = Luck(seed: options.seed)
    finality = FinalityCheck(peers: count)
    forgers = plan.mischief.map { $0.isEmpty ? nil : Forger() }
    rooms = plan.rooms.map { SimulatedRoom(plan: $0) }
    var keyRandom = RandomStream(seed: options.seed, for: .keys)
    // Those of peers first, then the strangers' of each fraudster.
    let fraudulent = plan.mischief.indices.filter { plan.mischief[$0].contains(.frauds) }
    let seeds = (0..<count + fraudulent.count * Fraudster.strangers).map { _ in keyRandom.bytes(32) }
    let signers: [any Signer]
    if options.usesRealKeys {
      signers = seeds.map { SigningKey(seed: $0) }
      scheme = Ed25519()
    } else {
      let takesBoxes = rooms.contains { $0.plan.isHosted }
      let keys = seeds.map { StandInKey(seed: $0, takesBoxes: takesBoxes) }
      signers = keys
      scheme = StandInScheme(keys)
    }
    fraudsters = plan.mischief.map { _ in nil }
    for (number, peer) in fraudulent.enumerated() {
      let strangers = signers.dropFirst(count + number * Fraudster.strangers).prefix(Fraudster.strangers)
      fraudsters[peer] = Fraudster(signers: [signers[peer]] + strangers)
    }
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

  // MARK: - Running

  /// Runs to the end.
  mutating func run() -> RunReport {
    begin()
    while phase < .over, let (time, step) = schedule.next() {
      self.time = time
      take(step)
      if violations.count >= Self.limitViolations { break }
    }
    return finish()
  }

  private mutating func begin() {
    tell("\(peers.count) peers, \(rooms.count) rooms; " + planWords)
    for peer in peers.indices { start(peer) }
    wiring.wireAtFirst(&luck.topology)
    schedule.add(.connect, at: 1)
    schedule.add(.rewire, at: luck.topology.time(500...3_000))
    for fault in Fault.allCases where plan.faults.contains(fault) {
      schedule.strike(fault, &luck.strikes, at: 0)
    }
    schedule.add(.heal, at: plan.safetyMilliseconds)
  }

  private mutating func take(_ step: Step) {
    statistics.steps += 1
    switch step {
    case .deliver(let packet): deliver(packet)
    case .act(let peer, let life): if isAlive(peer, life) { act(peer) }
    case .timer(let peer, let life): if isAlive(peer, life) { goOff(peer) }
    case .committed(let peer, let life): if isAlive(peer, life) { committed(peer) }
    case .start(let peer, let copy): restart(peer, from: copy)
    case .loseConnection(let connection, let end): close(connection, end: end)
    case .hear(let peer, let room): hear(peer, of: room)
    case .loaded(let peer, let life, let room): if isAlive(peer, life) { loaded(room, of: peer) }
    case .strike(let fault): strike(fault)
    case .connect: connectAll()
    case .rewire: rewire()
    case .heal: heal()
    case .calmDown: calmDown()
    case .compare: compare()
    case .end: phase = .over
    }
  }

  func isAlive(_ peer: Int, _ life: Int) -> Bool { peers[peer].isUp && peers[peer].life == life }

  private mutating func goOff(_ peer: Int) {
    guard peers[peer].timer <= time else { return }
    peers[peer].timer = .max
    peers[peer].showTime(time)
    peers[peer].advance(to: time)
    settle(peer)
  }

  /// The number of a room that has an id.
  func number(of room: RoomID) -> Int? { rooms.firstIndex { $0.id == room } }

  // MARK: - Telling

  /// Writes a line of the trace.
  func tell(_ words: @autoclosure () -> String) {
    if let trace { trace("\(SimulatedTime.text(time))  \(words())") }
  }

  /// Notes something that must not happen.
  mutating func violate(
    _ promise: Violation.Promise, peer: Int? = nil, room: Int? = nil, _ words: String
  ) {
    guard violations.count < Self.limitViolations else { return }
    let violation = Violation(promise: promise, time: time, peer: peer, room: room, words: words)
    guard !violations.contains(where: { $0.words == words && $0.peer == peer && $0.room == room }) else {
      return
    }
    violations.append(violation)
    tell("VIOLATION \(violation)")
    guard trace != nil, let room = room.flatMap({ rooms[$0].id }) else { return }
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

  private var planWords: String {
    let faults = Fault.allCases.filter(plan.faults.contains).map(\.rawValue)
    let dishonest = plan.mischief.indices.filter { !plan.mischief[$0].isEmpty }.map { peer in
      let ways = Fault.allCases.filter(plan.mischief[peer].contains).map(\.rawValue)
      return "peer \(peer) \(ways.joined(separator: " and "))"
    }
    let invited = rooms.filter { $0.plan.scope == .invited }.map { String($0.plan.number) }
    return "faults: " + (faults.isEmpty ? "none" : faults.joined(separator: ", "))
      + (dishonest.isEmpty ? "" : "; dishonest: " + dishonest.joined(separator: ", "))
      + (invited.isEmpty ? "" : "; rooms of the invited: " + invited.joined(separator: ", "))
      + (plan.faults.contains(.farPeers)
        ? "; places: " + plan.sites.map(String.init).joined(separator: " ") : "")
  }
}

extension Schedule<World.Step> {
  /// Puts in the next moment of a fault.
  mutating func strike(_ fault: Fault, _ strikes: inout [Fault: RandomStream], at time: UInt64) {
    let pause = strikes[fault]?.time(300...4_000) ?? 1_000
    add(.strike(fault), at: time + pause)
  }
}
