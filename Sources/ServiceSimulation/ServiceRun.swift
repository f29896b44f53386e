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
  /// A peer from a start to a crash.
  struct Life {
    let service: PeerService
    let store: SimulatedStore
    let streams: SimulatedStreams
    var playing: Task<Void, Never>?
  }

  /// How long everything may take to come to its end once faults have ended.
  static let patienceMilliseconds: UInt64 = 300_000
  /// How long whoever has played in a tournament that is over waits for its organizer.
  private static let awaitedMilliseconds: UInt64 = 30_000
  /// How long nothing happens at the end, and how much may be done in that time by each peer: connections are kept
  /// alive, and neighbours compared with.
  private static let quietMilliseconds: UInt64 = 30_000
  private static let limitQuietSteps = 3_000
  /// The most violations that a run tells.
  private static let limitViolations = 20
  /// So few that a place which is not given back is missed: five for strangers, and eleven for peers.
  static let descriptors = 80

  nonisolated let machine: SimulatedMachine
  nonisolated let loop: EventLoop
  nonisolated let network: SimulatedNetwork
  nonisolated let plan: ServicePlan
  // The machine's loop is kept by this actor as long as it lives.
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.ownersExecutor }
  /// The keys of the machines: that of an organizer that goes on elsewhere comes again, last.
  let keys: [SigningKey]
  var disks: [MemoryEventLog]
  /// By peer: what was ever durable there.
  private var durable: [Set<EventID>]
  private(set) var lives: [Life?]
  /// The machines that are not gone for good, and the one on which the organizer is.
  private(set) var present: Set<Int>
  private var starting: Set<Int> = []
  var organizer = 0
  let marks: [SimulatedMarks]
  /// By machine: what counted there when it was looked last.
  var counted: [CountedResults?]
  /// How many commands were run on data folders.
  var commands = 0
  /// Whether nothing befalls network and machines at present.
  var isWhole = false
  /// Whether the tournament has started.
  var hasStarted = false
  private let rules: any GameRules
  private let bots: [any Bot]
  var random: RandomStream
  let isTraced: Bool
  /// What of note has happened, if it is traced.
  private(set) var trace: [String] = []
  private(set) var tournament = RoomID.none
  let seed: UInt64
  /// Whoever means ill, where somebody does.
  let attacker: Attacker?
  /// Whoever takes part and means ill.
  let insiders: [Insider]
  /// By peer: what of that it wrote itself.
  private(set) var own: [Set<EventID>]
  var hosted = RoomID.none
  /// By peer: the rooms that it has in memory at the end.
  private(set) var openAtEnd: [Int: Set<RoomID>] = [:]
  private(set) var violations: [Violation] = []
  var statistics = RunStatistics()
  private(set) var isOver = false
  /// How many games the person has played to their end.
  var played = 0

  init(_ options: SimulationOptions, isTraced: Bool) throws {
    machine = SimulatedMachine(seed: options.seed)
    loop = EventLoop(machine)
    plan = ServicePlan(options)
    let plan = plan
    network = SimulatedNetwork(machine, loop, microseconds: plan.network)
    keys = (0..<plan.machines).map { number in
      var seed = Blake2b(domain: "parlor-simulation-service")
      seed.update(bigEndian: options.seed)
      seed.update(bigEndian: UInt64(number == plan.peers ? 0 : number))
      return SigningKey(seed: seed.digest().bytes)
    }
    disks = keys.map { _ in MemoryEventLog(network: .standard) }
    durable = keys.map { _ in [] }
    own = durable
    let attacker =
      plan.scenario == .attacks ? Attacker(network, firstHost: plan.machines, seed: options.seed) : nil
    self.attacker = attacker
    insiders =
      attacker.map { [plan, keys] attacker in
        plan.insiders.indices.map { Insider(at: $0, of: plan, keys, attacker, seed: options.seed) }
      } ?? []
    lives = keys.map { _ in nil }
    counted = keys.map { _ in nil }
    marks = keys.indices.map { SimulatedMarks(isImported: $0 == plan.peers) }
    present = Set(0..<plan.peers)
    seed = options.seed
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
    self.isTraced = isTraced
  }

  /// Begins; to be called on the machine's thread, which then runs the machine.
  nonisolated func begin() { loop.call { self.assumeIsolated { $0.beginPlaying() } } }

  private func beginPlaying() {
    Task {
      do { try await play() } catch { violate(.ability, "the run ended with \(error)") }
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
    }
    await striking.value
    await attacking.value
    for task in cheating { await task.value }
    for number in machines where lives[number] == nil { try await start(number) }
    tell("no more faults")
    try await settle()
    try await recover()
    await stayQuiet()
    for number in machines {
      openAtEnd[number] = await lives[number]?.service.rooms.inMemory()
      await stop(number)
    }
    check()
  }

  // MARK: - Peers

  /// The machines that are not gone for good, in order.
  var machines: [Int] { present.sorted() }

  /// A machine is gone for good.
  func lose(_ number: Int) {
    present.remove(number)
    crash(number)
    tell("the machine of peer \(number) is gone for good")
  }

  /// A machine dies, and something is done to it before it may be started again.
  func replace(_ number: Int, _ body: () -> Void) async {
    present.remove(number)
    crash(number)
    await sleep(500)
    body()
    present.insert(number)
  }

  /// Puts up another machine.
  func add(_ number: Int) async throws {
    present.insert(number)
    try await start(number)
  }

  func start(_ number: Int) async throws {
    guard lives[number] == nil, present.contains(number), starting.insert(number).inserted else { return }
    defer { starting.remove(number) }
    let store = SimulatedStore(disks[number]) { changes in
      self.assumeIsolated { $0.note(changes, at: number) }
    }
    let streams = SimulatedStreams(network, host: number)
    let (machine, plan) = (machine, plan)
    let writer = SimulatedWriter(machine) {
      machine.now < plan.safetyMilliseconds ? plan.disk : ServicePlan.soundDisk
    }
    let shell = Shell(
      loop: loop, streams: streams, writer: writer, descriptors: Self.descriptors,
      random: { machine.bytes() },
      elsewhere: { machine.elsewhere(within: plan.thinking, $0) })
    var settings = ServiceSettings(
      signer: keys[number], log: store, games: Games.catalog, listen: SimulatedNetwork.address(of: number),
      now: { machine.now + 1_700_000_000_000 })
    settings.shell = shell
    if let limit = plan.limitStrangersBytes { settings.limitStrangersBytes = limit }
    if let limit = plan.limitOpenBytes { settings.limitOpenBytes = limit }
    if plan.scenario == .tournaments { settings.marks = marks[number] }
    let isPerson = keys[number].peer == keys[0].peer
    let service = try await PeerService.open(settings, policy: isPerson ? .person : .bot)
    lives[number] = Life(service: service, store: store, streams: streams)
    if plan.scenario == .tournaments {
      for other in machines where other != number { await service.found(SimulatedNetwork.address(of: other)) }
    } else {
      // Each knows the one before it; the others it is told of.
      await service.found(SimulatedNetwork.address(of: (number + keys.count - 1) % keys.count))
    }
    switch plan.play {
    case .tournament where !isPerson && !isTooEarly(number):
      playBot(number, service, in: tournament.description)
    case .openGames where number > 0: playBot(number, service, in: nil)
    default: break
    }
    tell("peer \(number) is there")
  }

  func playBot(_ number: Int, _ service: PeerService, in tournament: String?) {
    let keeper = BotKeeper(
      service, bot: bots[number - 1], rules: rules, name: "bot \(number)", scope: .local,
      seed: UInt64(number), limitThinking: 2, tournament: tournament
    ) { report in
      self.assumeIsolated { $0.heed(report, of: number, service) }
    }
    lives[number]?.playing = Task {
      do {
        repeat { try await keeper.run() } while try await goesOn(service, number)
        guard isAlive(service, number) else { return }
        lives[number]?.playing = nil
        tell("the bot of peer \(number) has nothing more to do")
      } catch {
        if isAlive(service, number), isHonest(number) {
          violate(.ability, peer: number, "its bot gave up: \(error)")
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
      guard let found = try disks[number].tournament(tournament, Games.catalog, nil) else { return false }
      let words = try disks[number].state(of: tournament, verify: false, Games.catalog).tournamentWords
      if found.isEnded(by: words) { return false }
      await sleep(2_000)
    }
    return false
  }

  func isAlive(_ service: PeerService, _ number: Int) -> Bool { lives[number]?.service === service }

  private func heed(_ report: BotKeeper.Report, of number: Int, _ service: PeerService) {
    switch report {
    case .failed(let room, let words) where isAlive(service, number) && isHonest(number):
      violate(.ability, peer: number, "its bot cannot go on in \(room.short): \(words)")
    default: break
    }
  }

  /// A peer dies at once: nothing that it has begun reaches its disk or anybody else.
  func crash(_ number: Int) {
    guard let life = lives[number] else { return }
    tell("peer \(number) crashes")
    statistics.crashes += 1
    lives[number] = nil
    unsafe life.store.isCut = true
    unsafe life.streams.isDead = true
    network.kill(number)
    // What is left of the process is taken out of the way; nobody hears of it any more.
    Task {
      await life.service.close()
      await life.playing?.value
      tell("what was left of peer \(number) is gone")
    }
  }

  private func stop(_ number: Int) async {
    guard let life = lives[number] else { return }
    await life.service.close()
    await life.playing?.value
    lives[number] = nil
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
      let number = random.below(keys.count)
      switch fault {
      case .crashes:
        crash(number)
        await sleep(random.time(1...2_000))
        do { try await start(number) } catch {
          violate(.ability, peer: number, "it does not start: \(error)")
        }
      case .partitions:
        let groups = Dictionary(uniqueKeysWithValues: keys.indices.map { ($0, random.below(2)) })
        tell("groups \(keys.indices.map { groups[$0] ?? 0 })")
        network.split(groups)
        await sleep(random.time(100...6_000))
        network.split([:])
      case .flapping:
        network.split([number: 1])
        network.split([:])
      case .fullDisks:
        guard let store = lives[number]?.store else { continue }
        tell("the disk of peer \(number) is full")
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
    var core = PeerCore(
      signer: keys[0], network: .standard, catalog: Games.catalog, scheme: Ed25519(), seed: 1, now: { 0 })
    let definition = rules.definition
    let create = Create(
      rules: definition.name, rulesVersion: definition.version, parameters: rules.parameters.encoded,
      seats: UInt16(max(2, plan.peers - 1)), games: UInt16(plan.games),
      nonce: [UInt8](repeating: 3, count: 16),
      profile: Profile(name: "organizer"), starter: plan.drawsSeeds ? .jointDraw : .firstSeat,
      moveLimitMilliseconds: plan.moveLimitMilliseconds,
      referee: keys[0].peer,
      purpose: .tournament(format: format.rawValue, options: options, seed: 1, title: "cup"))
    tournament = try core.create(create)
    guard let change = try core.prepareCommit(tournament) else { return }
    try disks[0].write([change])
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
      isHonest(number) && !hasDishonestHost ? Self.patienceMilliseconds : Self.insidersMilliseconds
    let end = max(machine.now, plan.safetyMilliseconds) + patience
    while true {
      guard machine.now < end else {
        if patience < Self.patienceMilliseconds { return tell("given up: \(words)") }
        throw ServiceRunError.never(words)
      }
      if let service = lives[number]?.service {
        do {
          let before = ownEvents(number)
          if try await attempt(self, service) { return tell("done: \(words)") }
          if ownEvents(number) != before { continue }
        } catch let error as ServiceError {
          // What cannot be done now is tried again; whoever has crashed is asked again in its next life.
          if isAlive(service, number), !error.passes, isHonest(number) { throw error }
        }
      }
      await sleep(100)
    }
  }

  private func ownEvents(_ number: Int) -> Int { durable[number].count }

  // MARK: - What must hold

  /// Notes what has become durable, and looks whether its author had it durable before anybody else.
  private func note(_ changes: [RoomChange], at number: Int) {
    for change in changes {
      for entry in change.entries {
        durable[number].insert(entry.event.id)
        statistics.events += 1
        let author = entry.event.author
        let owners = keys.indices.filter { keys[$0].peer == author }
        if keys[number].peer == author { own[number].insert(entry.event.id) }
        guard let owner = owners.first, keys[number].peer != author, isHonest(owner) else { continue }
        if !owners.contains(where: { durable[$0].contains(entry.event.id) }) {
          violate(
            .durability, peer: number,
            "it has \(entry.event.id.short) of peer \(owner), where that is not durable")
        }
      }
    }
    if case .tournament = plan.play, plan.scenario != .services, isHonest(number) {
      watch(changes, at: number)
    }
  }

  /// Nobody wants anything any more: then nothing is written, and little is said.
  private func stayQuiet() async {
    // Bots that keep games open would go on with each other.
    if case .openGames = plan.play { return }
    await sleep(Self.quietMilliseconds)
    let (events, steps) = (statistics.events, machine.steps)
    await sleep(Self.quietMilliseconds)
    if statistics.events != events {
      violate(.bounds, "\(statistics.events - events) events were written when nobody wanted anything")
    }
    let limit = keys.count * Self.limitQuietSteps
    if machine.steps - steps > limit {
      violate(
        .bounds, "\(machine.steps - steps) steps were done when nobody wanted anything; at most \(limit)")
    }
  }

  func violate(_ promise: Violation.Promise, peer: Int? = nil, _ words: String) {
    guard violations.count < Self.limitViolations else { return }
    violations.append(Violation(promise: promise, time: machine.now, peer: peer, room: nil, words: words))
    tell("VIOLATION \(promise.rawValue): \(words)")
  }

  func tell(_ words: @autoclosure () -> String) {
    if isTraced { trace.append("\(SimulatedTime.text(machine.now)): \(words())") }
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
