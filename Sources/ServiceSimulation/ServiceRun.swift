import BotKit
import EventLog
import Events
import Games
import Network
import Peer
import Projection
import Rules
import SearchBots
import Service
import Simulation
import Tournaments

/// One run of whole peers: the product's own services with their duties, bots, channels and connections, on a simulated
/// machine. It lives on that machine's loop, as they do.
actor ServiceRun {
  /// How long everything may take to come to its end once faults have ended.
  static let patienceMilliseconds: UInt64 = 300_000
  /// How long whoever has played in a tournament that is over waits for its organizer.
  private static let awaitedMilliseconds: UInt64 = 30_000
  /// How long nothing happens at the end, and how much may be done in that time by each peer: connections are kept
  /// alive, and neighbours compared with.
  private static let quietMilliseconds: UInt64 = 30_000
  private static let limitQuietSteps = 3_000

  nonisolated let machine: SimulatedMachine
  nonisolated let loop: EventLoop
  nonisolated let network: SimulatedNetwork
  nonisolated let plan: ServicePlan
  // The machine's loop is kept by this actor as long as it lives.
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.ownersExecutor }
  let record: ServiceRunRecord
  /// By host: who is there.
  var hosts: [ServiceHost]
  private(set) var durability: Durability
  private var watch: TournamentWatch
  /// The host on which the organizer is.
  var organizer = 0
  /// How many commands were run on data folders.
  var commands = 0
  /// Whether nothing befalls network and machines at present.
  var isWhole = false
  /// Whether the tournament has started.
  var hasStarted = false
  private let rules: any GameRules
  private let bots: [any Bot]
  var random: RandomStream
  private(set) var tournament = RoomID.none
  var hosted = RoomID.none
  /// Whoever means ill, where somebody does.
  let attacker: Attacker?
  /// Whoever takes part and means ill.
  let insiders: [Insider]
  /// Whoever comes with a browser.
  let visitors: [Visitor]
  /// Whoever comes with a browser and means ill.
  var hostile: [HostileBrowser] = []
  private(set) var isOver = false

  init(_ options: SimulationOptions, isTraced: Bool) throws {
    let (machine, plan) = (SimulatedMachine(seed: options.seed), ServicePlan(options))
    (self.machine, self.plan) = (machine, plan)
    loop = EventLoop(machine)
    network = SimulatedNetwork(machine, loop, microseconds: plan.network)
    let record = ServiceRunRecord(machine, isTraced: isTraced)
    self.record = record
    let hosts = (0..<plan.machines).map { ServiceHost($0, of: plan) }
    self.hosts = hosts
    let attacker =
      plan.scenario == .attacks ? Attacker(network, firstHost: plan.machines, seed: options.seed) : nil
    self.attacker = attacker
    let insiders =
      attacker.map { attacker in
        plan.insiders.indices.map { Insider(at: $0, of: plan, hosts[plan.insiders[$0]].key, attacker) }
      } ?? []
    self.insiders = insiders
    visitors = (0..<plan.visitors).map { Visitor($0, at: $0 % plan.peers, seed: options.seed) }
    durability = Durability(plan, hosts.map(\.peer), record)
    watch = TournamentWatch(plan, record, organizer: hosts[0].peer, insiders: insiders.map(\.peer))
    guard let definition = Games.catalog.newest(plan.game) else {
      throw ServiceRunError.never("find \(plan.game)")
    }
    var parameters = Parameters()
    if plan.game == PrisonersDilemma.name { parameters["rounds"] = "3" }
    rules = try definition.rules(parameters)
    let (rules, catalog) = (rules, BotCatalog(SearchBots.families))
    // Who plays any legal move plays every game.
    bots = try plan.bots.map { $0 == "random" ? RandomBot() : try catalog.bot($0, for: rules) }
    random = RandomStream(seed: options.seed, for: .serviceFaults)
  }

  /// Begins; to be called on the machine's thread, which then runs the machine.
  nonisolated func begin() { loop.call { self.assumeIsolated { $0.beginPlaying() } } }

  private func beginPlaying() {
    Task {
      do { try await play() } catch { record.violate(.ability, "the run ended with \(error)") }
      isOver = true
    }
  }

  private func play() async throws {
    if case .tournament(let format, let options) = plan.play { try create(format, options) }
    for number in machines { try await start(number) }
    let striking = Task { await plan.scenario == .tournaments ? strikeTournament() : strike() }
    let attacking = Task { await attack() }
    let cheating = insiders.map { insider in Task { await beDishonest(insider) } }
    switch plan.play {
    case .tournament where plan.scenario == .tournaments: try await directThroughFaults()
    case .tournament: try await direct()
    case .openGames: try await playAsPerson()
    case .rounds(let game, let count): try await playRounds(of: game, count)
    case .visits: try await visitAll()
    }
    await striking.value
    await attacking.value
    for task in cheating { await task.value }
    for number in machines where hosts[number].life == nil { try await start(number) }
    record.tell("no more faults")
    try await settle()
    try await recover()
    await checkPagesAreLeft()
    await stayQuiet()
    var open: [Int: Set<RoomID>] = [:]
    for number in machines {
      open[number] = await hosts[number].life?.service.rooms.inMemory()
      await stop(number)
    }
    checks.check(open: open)
  }

  // MARK: - Peers

  /// The machines that are not gone for good, in order.
  var machines: [Int] { hosts.present }

  /// Those of them that run for honest ones.
  var honestMachines: [Int] { machines.filter(plan.isHonest) }

  /// A machine is gone for good.
  func lose(_ number: Int) {
    hosts[number].isPresent = false
    crash(number)
    record.tell("the machine of peer \(number) is gone for good")
  }

  /// A machine dies, and something is done to it before it may be started again.
  func replace(_ number: Int, _ body: () -> Void) async {
    hosts[number].isPresent = false
    crash(number)
    await sleep(500)
    body()
    hosts[number].isPresent = true
  }

  /// Puts up another machine.
  func add(_ number: Int) async throws {
    hosts[number].isPresent = true
    try await start(number)
  }

  func start(_ number: Int) async throws {
    guard hosts[number].life == nil, hosts[number].isPresent, !hosts[number].isStarting else { return }
    hosts[number].isStarting = true
    defer { hosts[number].isStarting = false }
    let store = SimulatedStore(hosts[number].disk) { changes in
      self.assumeIsolated { $0.note(changes, at: number) }
    }
    let streams = SimulatedStreams(network, host: number)
    let (machine, plan) = (machine, plan)
    let writer = SimulatedWriter(machine) {
      machine.now < plan.safetyMilliseconds ? plan.disk : ServicePlan.soundDisk
    }
    let shell = Shell(
      loop: loop, streams: streams, writer: writer, descriptors: ServicePlan.descriptors,
      random: { machine.bytes() },
      elsewhere: { machine.elsewhere(within: plan.thinking, $0) })
    var settings = ServiceSettings(
      signer: hosts[number].key, log: store, games: Games.catalog,
      listen: SimulatedNetwork.address(of: number),
      now: { machine.now + 1_700_000_000_000 })
    settings.shell = shell
    if let limit = plan.limitStrangersBytes { settings.limitStrangersBytes = limit }
    if let limit = plan.limitOpenBytes { settings.limitOpenBytes = limit }
    if plan.scenario == .tournaments { settings.marks = hosts[number].marks }
    let isPerson = hosts[number].peer == hosts[0].peer
    let service = try await PeerService.open(settings, policy: isPerson || plan.visitors > 0 ? .person : .bot)
    hosts[number].life = ServiceHost.Life(service: service, store: store, streams: streams)
    if plan.scenario == .tournaments {
      for other in machines where other != number { await service.found(SimulatedNetwork.address(of: other)) }
    } else {
      // Each knows the one before it; the others it is told of.
      await service.found(SimulatedNetwork.address(of: (number + hosts.count - 1) % hosts.count))
    }
    switch plan.play {
    case .tournament where !isPerson && !isTooEarly(number):
      playBot(number, service, in: tournament.description)
    case .openGames where number > 0: playBot(number, service, in: nil)
    case .visits:
      let page = try await page(service)
      guard isAlive(service, number) else { return await page.close() }
      hosts[number].life?.page = page
    default: break
    }
    record.tell("peer \(number) is there")
  }

  func playBot(_ number: Int, _ service: PeerService, in tournament: String?) {
    let keeper = BotKeeper(
      service, bot: bots[number - 1], rules: rules, name: "bot \(number)", scope: .local,
      seed: UInt64(number), limitThinking: 2, tournament: tournament
    ) { report in
      self.assumeIsolated { $0.heed(report, of: number, service) }
    }
    hosts[number].life?.playing = Task {
      do {
        repeat { try await keeper.run() } while try await goesOn(service, number)
        guard isAlive(service, number) else { return }
        hosts[number].life?.playing = nil
        record.tell("the bot of peer \(number) has nothing more to do")
      } catch {
        if isAlive(service, number), plan.isHonest(number) {
          record.violate(.ability, peer: number, "its bot gave up: \(error)")
        }
      }
    }
  }

  /// Waits as `parlor bot` does until the organizer has said its last word on a tournament that is over here.
  /// - Returns: whether it goes on.
  private func goesOn(_ service: PeerService, _ number: Int) async throws -> Bool {
    guard case .tournament = plan.play else { return false }
    let end = machine.now + Self.awaitedMilliseconds
    while isAlive(service, number), machine.now < end {
      if await service.isClosed { return false }
      guard try await service.isComplete(tournament) else { return true }
      guard let found = try hosts[number].stored(tournament).read() else { return false }
      let words = try hosts[number].stored(tournament).state().tournamentWords
      if found.isEnded(by: words) { return false }
      await sleep(2_000)
    }
    return false
  }

  func isAlive(_ service: PeerService, _ number: Int) -> Bool { hosts[number].life?.service === service }

  private func heed(_ report: BotKeeper.Report, of number: Int, _ service: PeerService) {
    switch report {
    case .failed(let room, let words) where isAlive(service, number) && plan.isHonest(number):
      record.violate(.ability, peer: number, "its bot cannot go on in \(room.short): \(words)")
    default: break
    }
  }

  /// A peer dies at once: nothing that it has begun reaches its disk or anybody else.
  func crash(_ number: Int) {
    guard let life = hosts[number].life else { return }
    record.tell("peer \(number) crashes")
    record.statistics.crashes += 1
    hosts[number].life = nil
    unsafe life.store.isCut = true
    unsafe life.streams.isDead = true
    life.page?.kill()
    network.kill(number)
    // What is left of the process is taken out of the way; nobody hears of it any more.
    Task {
      await life.end()
      record.tell("what was left of peer \(number) is gone")
    }
  }

  private func stop(_ number: Int) async {
    guard let life = hosts[number].life else { return }
    await life.end()
    hosts[number].life = nil
  }

  var isFaulty: Bool { machine.now < plan.safetyMilliseconds }

  // MARK: - What goes wrong

  private func strike() async {
    while isFaulty {
      await sleep(random.time(50...2_000))
      let faults = plan.faults.filter { !$0.isDishonest && !Fault.ofInsiders.contains($0) }
      guard isFaulty, let fault = random.pick(faults.sorted { $0.rawValue < $1.rawValue }) else {
        continue
      }
      let number = random.below(hosts.count)
      switch fault {
      case .crashes:
        crash(number)
        await sleep(random.time(1...2_000))
        do { try await start(number) } catch {
          record.violate(.ability, peer: number, "it does not start: \(error)")
        }
      case .partitions:
        let groups = Dictionary(uniqueKeysWithValues: hosts.indices.map { ($0, random.below(2)) })
        record.tell("groups \(hosts.indices.map { groups[$0] ?? 0 })")
        network.split(groups)
        await sleep(random.time(100...6_000))
        network.split([:])
      case .flapping:
        network.split([number: 1])
        network.split([:])
      case .fullDisks:
        guard let store = hosts[number].life?.store else { continue }
        record.tell("the disk of peer \(number) is full")
        unsafe store.isFull = true
        await sleep(random.time(100...5_000))
        unsafe store.isFull = false
      default: break
      }
    }
    network.split([:])
  }

  func sleep(_ milliseconds: UInt64) async {
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      machine.at(machine.microseconds + milliseconds * 1_000) { continuation.resume() }
    }
  }

  // MARK: - What people do

  /// Puts a tournament on the organizer's disk, as the command does before its peer is there.
  private func create(_ format: TournamentFormat, _ options: UInt8) throws {
    var core = hosts[0].core(now: { 0 })
    let definition = rules.definition
    let create = Create(
      rules: definition.name, rulesVersion: definition.version, parameters: rules.parameters.encoded,
      seats: UInt16(max(2, plan.peers - 1)), games: UInt16(plan.games),
      nonce: [UInt8](repeating: 3, count: 16),
      profile: Profile(name: "organizer"), starter: plan.drawsSeeds ? .jointDraw : .firstSeat,
      moveLimitMilliseconds: plan.moveLimitMilliseconds,
      referee: hosts[0].peer,
      purpose: .tournament(format: format.rawValue, options: options, seed: 1, title: "cup"))
    tournament = try core.create(create)
    guard let change = try core.prepareCommit(tournament) else { return }
    try hosts[0].disk.write([change])
    note([change], at: 0)
  }

  /// Starts the tournament when all have come that are to come before.
  func direct() async throws {
    let (room, count) = (tournament, plan.peers - (plan.hasLateEntrant ? 2 : 1))
    try await act(0, "start the tournament") { _, service in
      guard let state = try await service.state(of: room) else { return false }
      if state.start != nil { return true }
      guard state.seats.count(where: { $0 != nil }) == count, state.seeding == nil else { return false }
      _ = try await service.perform(.act(room, .start))
      return !state.create.drawsSeeds
    }
  }

  /// Has a peer's owner try something again and again until it is done, also over crashes.
  func act(
    _ number: Int, _ words: String, _ attempt: (isolated ServiceRun, PeerService) async throws -> Bool
  ) async throws {
    let patience =
      plan.isHonest(number) && !plan.hasDishonestHost ? Self.patienceMilliseconds : Self.insidersMilliseconds
    let end = max(machine.now, plan.safetyMilliseconds) + patience
    while true {
      guard machine.now < end else {
        if patience < Self.patienceMilliseconds { return record.tell("given up: \(words)") }
        throw ServiceRunError.never(words)
      }
      if let service = hosts[number].life?.service {
        do {
          let before = durability.count(at: number)
          if try await attempt(self, service) { return record.tell("done: \(words)") }
          if durability.count(at: number) != before { continue }
        } catch let error as ServiceError {
          // What cannot be done now is tried again; whoever has crashed is asked again in its next life.
          if isAlive(service, number), !error.passes, plan.isHonest(number) { throw error }
        }
      }
      await sleep(100)
    }
  }

  // MARK: - What must hold

  /// What the disks hold now, to be looked at.
  var checks: StoreChecks {
    StoreChecks(
      plan: plan, hosts: hosts, tournament: tournament, attacker: attacker, insiders: insiders,
      visitors: visitors, durability: durability, record: record)
  }

  /// Notes what has become durable, and what it changes in a tournament.
  private func note(_ changes: [RoomChange], at number: Int) {
    durability.note(changes, at: number)
    if case .tournament = plan.play, plan.scenario != .services, plan.isHonest(number) {
      watch.note(changes, in: hosts[number].stored(tournament), at: number)
    }
  }

  /// Nobody wants anything any more: then nothing is written, and little is said.
  private func stayQuiet() async {
    // Bots that keep games open would go on with each other.
    if case .openGames = plan.play { return }
    await sleep(Self.quietMilliseconds)
    let (events, steps) = (record.statistics.events, machine.steps)
    await sleep(Self.quietMilliseconds)
    if record.statistics.events != events {
      record.violate(
        .bounds, "\(record.statistics.events - events) events were written when nobody wanted anything")
    }
    let limit = hosts.count * Self.limitQuietSteps
    if machine.steps - steps > limit {
      record.violate(
        .bounds, "\(machine.steps - steps) steps were done when nobody wanted anything; at most \(limit)")
    }
  }
}

/// Why a run of whole peers ends before its end.
enum ServiceRunError: Error, CustomStringConvertible {
  case never(String)

  var description: String {
    switch self {
    case .never(let words): "something that could never be done: \(words)"
    }
  }
}
