import BotKit

/// One run of the simulator: it leads a world from step to step, lets faults have their moments, ends them, and looks
/// at what must hold.
struct SimulationRun: ~Copyable {
  var world: World
  /// The peer that is being restored, until it has everything back.
  var restoring: Int?
  /// How many messages had been sent when all was alike.
  var settledMessages = 0

  init(_ options: SimulationOptions, trace: ((String) -> Void)?) {
    world = World(options, trace: trace)
  }

  /// Runs to the end.
  mutating func run() -> RunReport {
    begin()
    while world.phase < .over, let (time, step) = world.schedule.next() {
      world.time = time
      take(step)
      if world.record.isFull { break }
    }
    return finish()
  }

  private mutating func begin() {
    world.tell(world.plan.words)
    for peer in world.peers.indices { world.start(peer) }
    world.wiring.wireAtFirst(&world.luck.topology)
    world.schedule.add(.connect, at: 1)
    world.schedule.add(.rewire, at: world.luck.topology.time(500...3_000))
    for fault in Fault.allCases where world.plan.faults.contains(fault) {
      world.schedule.strike(fault, &world.luck.strikes, at: 0)
    }
    world.schedule.add(.heal, at: world.plan.safetyMilliseconds)
  }

  private mutating func take(_ step: World.Step) {
    world.record.statistics.steps += 1
    switch step {
    case .deliver(let packet): world.deliver(packet)
    case .act(let peer, let life): if world.isAlive(peer, life) { world.act(peer) }
    case .timer(let peer, let life): if world.isAlive(peer, life) { world.goOff(peer) }
    case .committed(let peer, let life): if world.isAlive(peer, life) { world.committed(peer) }
    case .start(let peer, let copy): restart(peer, from: copy)
    case .loseConnection(let connection, let end): world.close(connection, end: end)
    case .hear(let peer, let room): world.hear(peer, of: room)
    case .loaded(let peer, let life, let room): if world.isAlive(peer, life) { world.loaded(room, of: peer) }
    case .strike(let fault): strike(fault)
    case .connect: connectAll()
    case .rewire: rewire()
    case .heal: heal()
    case .calmDown: calmDown()
    case .compare: compare()
    }
  }

  // MARK: - Links

  /// One link goes, another comes; those who stay are connected somehow.
  private mutating func rewire() {
    guard world.phase == .safety else { return }
    world.schedule.add(.rewire, at: world.time + world.luck.topology.time(500...5_000))
    // Who goes back to an old copy keeps those who know better.
    guard let gone = world.wiring.someLink(&world.luck.topology), world.peers.count > 2, restoring == nil
    else { return }
    world.tell("peers \(gone.0) and \(gone.1) part")
    world.wiring.replace(gone, &world.luck.topology)
    guard !world.wiring.isLinked(gone.0, gone.1), let connection = world.wiring.connection(gone.0, gone.1)
    else { return }
    world.breakConnection(connection)
  }

  /// Opens what is wanted and possible, again and again.
  private mutating func connectAll() {
    checkLoads()
    if world.phase < .over { world.schedule.add(.connect, at: world.time + 200) }
    for a in world.peers.indices {
      for b in world.peers.indices where b > a && world.wiring.isLinked(a, b) { world.connect(a, b) }
    }
  }
}

extension Schedule<World.Step> {
  /// Puts in the next moment of a fault.
  mutating func strike(_ fault: Fault, _ strikes: inout [Fault: RandomStream], at time: UInt64) {
    let pause = strikes[fault]?.time(300...4_000) ?? 1_000
    add(.strike(fault), at: time + pause)
  }
}
