internal import BotKit
internal import Channel
package import EventLog
package import Events
internal import Gossip
package import Network
internal import Peer
internal import Platform
internal import Projection
internal import Relay
package import Rules

/// The peer of a data folder, in this process: a `NetworkPeer`, and a steward who does what the protocol owes
/// in every room where this peer is the creator or has a seat.
///
/// The steward reads what it needs from the log, so nothing depends on the process having lived.
package actor PeerService: Service {
  package nonisolated var peer: PeerID { signer.peer }
  /// Its rooms, in memory and in the store.
  package nonisolated let rooms: Rooms
  /// Those around it.
  package nonisolated var surroundings: Neighbours { rooms.surroundings }
  nonisolated var networkPeer: NetworkPeer { rooms.networkPeer }
  package nonisolated var store: any EventLog { rooms.log }
  package nonisolated var catalog: GameCatalog { rooms.games }
  let signer: SigningKey
  let now: @Sendable () -> UInt64
  // The network peer keeps its loop, and this actor the network peer, as long as it lives.
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    networkPeer.loop.ownersExecutor
  }
  /// Who is here: at its tables, and the people and bots behind sockets whose keys it keeps.
  let presence: Presence
  /// What it does by itself in rooms, and in tournaments.
  let duties: RoomDuties
  let tournaments: TournamentDuties
  /// What writes into rooms, also for other commands on the data folder.
  let writer: RoomWriter
  /// Milliseconds of a clock that only goes forward.
  let elapsed: @Sendable () -> UInt64
  /// What it runs on.
  package nonisolated let shell: Shell
  /// Has rooms looked at when their time has come.
  private var alarm = Alarm()
  /// Who may tend.
  private var turns = TendTurns()
  /// What watchers were told of last beside rooms, and the watchers.
  var watched = WatchedState()
  private var watchers = Watchers()
  /// The search for peers nearby.
  package nonisolated let lookAround = LookAround()
  private var socket: ServiceSocket?
  private let relay: RelayConnection?
  private var end = PeerEnd()
  /// Whether it stops, or has stopped.
  package var isClosed: Bool { end.hasCome }

  /// The address at which this peer waits for connections.
  package private(set) var address: Address?

  private init(_ settings: ServiceSettings, policy: Steward.Policy, _ shell: Shell) {
    let seed = shell.random().prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    var gossip = GossipSettings.standard
    gossip.keepsArchive = settings.keepsArchive
    let core = PeerCore(
      signer: settings.signer, network: settings.log.network, catalog: settings.games, scheme: Ed25519(),
      settings: gossip, seed: seed, now: settings.now)
    let credentials = Credentials(
      signer: settings.signer, network: settings.log.network, keys: .generate(shell.random),
      presharedKey: settings.presharedKey.flatMap { PresharedKey($0) }, random: shell.random)
    signer = settings.signer
    now = settings.now
    let presence = Presence(settings.signer.peer, policy)
    self.presence = presence
    self.shell = shell
    relay = settings.relay
    let elapsed = settings.elapsed ?? { shell.loop.now }
    self.elapsed = elapsed
    var behaviour = NetworkSettings.standard
    behaviour.tellsOfPeers = settings.tellsOfPeers
    behaviour.keepsWhatIsStored = settings.limitStrangersBytes == nil
    behaviour.limitStrangersBytes = settings.limitStrangersBytes ?? behaviour.limitStrangersBytes
    behaviour.limitOpenBytes = settings.limitOpenBytes
    behaviour.fit(descriptors: shell.descriptors)
    let networkPeer = NetworkPeer(
      core: core, log: settings.log, committer: GroupCommitter(settings.log, on: shell.writer),
      transports: ([shell.streams] + [settings.relay?.transport].compactMap(\.self)).map {
        ChannelTransport($0, credentials)
      }, settings: behaviour, seed: seed &+ 1)
    let rooms = Rooms(networkPeer: networkPeer, log: settings.log, games: settings.games)
    self.rooms = rooms
    let tournaments = TournamentDuties(rooms, presence)
    self.tournaments = tournaments
    let writer = RoomWriter(rooms, settings.signer, shell, now: settings.now, elapsed: elapsed)
    self.writer = writer
    duties = RoomDuties(
      rooms, presence, tournaments, writer, blocked: BlockedPeers(settings.blocked, in: settings.folder),
      elapsed: elapsed)
  }

  /// Opens the peer: reads its rooms, waits for connections, and begins with its duties.
  nonisolated(nonsending) package static func open(
    _ settings: ServiceSettings, policy: Steward.Policy = .person
  ) async throws(ServiceError) -> PeerService {
    let service = PeerService(settings, policy: policy, try settings.machine())
    do throws(ServiceError) {
      try await service.start(settings)
      return service
    } catch {
      await service.close()
      throw error
    }
  }

  /// How many games of each peer that can be joined are taken in for the lobby.
  private static let openGames: UInt8 = 8

  private func start(_ settings: ServiceSettings) async throws(ServiceError) {
    if !settings.wantsEverything, !settings.keepsArchive {
      await networkPeer.subscribe(to: Interest(openGames: Self.openGames))
    }
    do throws(LogError) {
      try await networkPeer.openStoredRooms(closing: Steward.closing)
    } catch { throw .peer(.log(error.description)) }
    if !duties.blocked.peers.isEmpty { await networkPeer.block(duties.blocked.peers) }
    if let marks = settings.marks { await networkPeer.keepOwnHeads(but: marks.allowed, marks) }
    if let wanted = settings.listen {
      do throws(NetworkError) { address = try await networkPeer.listen(on: wanted) } catch {
        throw ServiceError(error)
      }
    }
    if let relay { try await listen(relay.transport) }
    if let folder = settings.folder {
      let socket = ServiceSocket(self, networkPeer.loop)
      self.socket = socket
      do throws(NetworkError) { try await socket.listen(in: folder) } catch {
        throw ServiceError(error)
      }
    }
    await networkPeer.observe { self.assumeIsolated { $0.noteChange() } }
    await settle()
  }

  /// Meets peers at a relay.
  private func listen(_ relay: RelayTransport) async throws(ServiceError) {
    let networkPeer = networkPeer
    relay.hear { address in networkPeer.assumeIsolated { $0.hear(of: address) } }
    do throws(NetworkError) { _ = try await networkPeer.listen(on: relay.address) } catch {
      throw ServiceError(error)
    }
  }

  package func close() async {
    guard let works = end.come() else { return }
    alarm.close()
    for work in works { work() }
    await closeSocket()
    // What cannot be stored any more was told to whoever wrote it.
    do throws(PeerError) { try await networkPeer.flush() } catch {}
    await networkPeer.stop()
    await relay?.close()
    await settle()
    watchers.end()
  }

  /// Takes nothing more from other processes on this machine; those that are at work hear that it ends.
  package func closeSocket() async {
    await socket?.close()
    // Each has the other.
    socket = nil
  }

  /// Has something end with this peer, at once where it has ended already.
  package func atClose(_ work: @escaping @Sendable () -> Void) {
    if isClosed { work() } else { end.add(work) }
  }

  // MARK: - Where others are

  /// Somebody is to be found at this address: it is connected to, and again whenever that is lost.
  /// - Parameter wanted: who must be there; `nil` for anybody.
  package func found(_ address: Address, _ wanted: PeerID? = nil) async {
    guard wanted != peer else { return }
    await networkPeer.connect(to: address, wanted: wanted)
  }

  /// Nobody is to be found at this address any more; a connection that stands stays.
  package func lost(_ address: Address) async { await networkPeer.forget(address) }

  package func neighbours() async -> [NeighbourStatus] {
    await surroundings.all()
  }

  /// How far the exchange is at this moment.
  package func exchange() async -> ExchangeStatus { await ExchangeStatus(networkPeer) }

  /// What others have this peer keep at present.
  package func burden() async -> Burden { await networkPeer.burden }

  /// A signal for each time that anything happened on the network, whether it changed a room or not.
  package func pulses() async -> Changes { await networkPeer.changes() }

  /// Has nothing to do with a peer from now on, or again.
  func block(_ other: PeerID, _ isBlocked: Bool) async throws(ServiceError) {
    guard other != peer else { throw .refused("a peer cannot block itself") }
    try duties.blocked.set(other, isBlocked)
    await networkPeer.block(duties.blocked.peers)
    await settle()
  }

  // MARK: - Changes

  package func changes() -> Changes { watchers.add() }

  /// Why nothing goes on, though nobody has stopped this peer; `nil` while it does.
  package func failure() async -> ServiceError? { await networkPeer.failure.map { .peer($0) } }

  /// Does what is owed wherever something happened, and tells the watchers.
  ///
  /// One call after the other.
  package func settle() async {
    // Whoever has the turn may end it before this waits.
    await withCheckedContinuation { turns.wait($0) }
    await tendTouched()
    if turns.end() { tendSoon() }
  }

  /// Something may have changed at the network peer.
  func noteChange() { if turns.plan() { tendSoon() } }

  private func tendSoon() {
    Task {
      turns.begin()
      await settle()
    }
  }

  private func tendTouched() async {
    let touched = await networkPeer.takeTouched()
    let time = elapsed()
    let hosted = await networkPeer.read { $0.hosting.takeRooms(dueAt: time) }
    let hasSpace = await !networkPeer.isPaused
    let due = duties.takeRooms(dueAt: time, hasSpace: hasSpace) + hosted
    var queue = RoomQueue()
    for room in touched + due { queue.add(room) }
    var hasTended = false
    for room in queue.takeAll() where await rooms.isSettled(room) {
      await duties.tend(room)
      hasTended = true
    }
    for room in tournaments.known.takeDue() where !writer.isReserved(room) { await tournaments.tend(room) }
    await setAlarm()
    if await networkPeer.failure != nil { watchers.end() }
    let neighbours = await neighbours()
    let hasMet = watched.note(neighbours, atMilliseconds: now())
    let isPaused = await networkPeer.isPaused
    let hasPaused = watched.note(isPaused: isPaused)
    let hindrances = watched.hindrances
    if !hindrances.isEmpty {
      let looked = hindrances.keys.sorted()
      let words = await rooms.hindrances(in: looked)
      watched.note(words, in: looked)
    }
    guard hasTended || hasMet || hasPaused || watched.hindrances != hindrances else { return }
    watchers.tell()
  }

  /// Where this peer sits, and may sit.
  package func table() -> TableList { duties.listed.list }

  /// What this peer has ruled as a referee, each ruling once and when it is durable.
  package func takeRulings() async throws(ServiceError) -> [ToldRuling] { try await duties.takeRulings() }

  /// Has rooms looked at when the time of a seat is up.
  private func setAlarm() async {
    guard let due = await duties.nextDue(), !isClosed else { return }
    alarm.set(to: due, at: elapsed(), on: loop) {
      self.assumeIsolated {
        $0.alarm.rang()
        $0.noteChange()
      }
    }
  }
}
