import Discovery
import EventLog
import Events
import Network
import Peer
import Platform
import Service
import Terminal

extension Context {
  /// The peer of the data folder: in this process, or in the one that has the folder already.
  func service(_ parsed: ParsedCommand) async throws -> any Service {
    try await store.writing { () async throws -> any Service in
      try await peerService(parsed)
    } through: { client, _ in
      for address in try NetworkOptions.addresses(parsed) { _ = try await client.perform(.connect(address)) }
      if try NATSOptions.relay.settings(parsed) != nil {
        console.note(
          "Another process has the data folder, and meets peers as it was told to: --relay counts there.")
      }
      return client
    }
  }

  /// The peer of the data folder, in this process without a network, or in the one that has the folder already.
  func folderService(_ parsed: ParsedCommand) async throws -> any Service {
    try await store.writing { () async throws -> any Service in
      try await peerService(parsed, listens: false)
    } through: { client, _ in
      client
    }
  }

  /// The peer of the data folder, in this process.
  func peerService(
    _ parsed: ParsedCommand, listens: Bool = true, wantsEverything: Bool = false, keepsArchive: Bool = false,
    limitStrangersBytes: Int? = nil,
    policy: Steward.Policy = .person
  ) async throws -> PeerService {
    let addresses = listens ? try NetworkOptions.addresses(parsed) : []
    let listen = listens ? try NetworkOptions.listenAddress(parsed) : nil
    let takesKey = parsed.definition.options.contains { $0.name == "key" }
    let key = takesKey ? try NetworkOptions.presharedKey(parsed) : nil
    let relay = listens ? try NATSOptions.relay.settings(parsed) : nil
    // The lock comes first: who is refused must not have made an identity.
    let (log, marks) = try store.markedWriter()
    let folder = try store.folder().path
    var settings = ServiceSettings(
      signer: try store.identity(marks), log: log, games: games, folder: folder, listen: listen,
      tellsOfPeers: listens && !parsed.has("no-discovery"), keepsArchive: keepsArchive, presharedKey: key,
      marks: marks,
      now: { WallClock.milliseconds() })
    settings.wantsEverything = wantsEverything
    settings.limitStrangersBytes = limitStrangersBytes
    settings.blocked = try BlockedPeers.read(in: folder)
    if let relay {
      let shell = try Shell.machine()
      settings.shell = shell
      settings.relay = try await RelayOptions.open(relay, log.network, shell.loop, self)
    }
    if marks.allowed != nil {
      let reason =
        marks.isImported
        ? "This key was brought here, and may have been used elsewhere."
        : "This data folder is not as it was left, and may be an old copy."
      console.note(
        reason
          + " A room that others may have can be written to when their peers have shown what they hold of it;"
          + " new games can be played at once.")
    }
    let service = try await PeerService.open(settings, policy: policy)
    let notices = PeerNotices(service: service, console: console)
    await notices.tellOfTwin()
    await notices.tellOfShortage()
    // `sync` tells of them itself, before its end.
    if listens { await notices.tellOfRoomsNotTaken() }
    if let address = await service.address { try tellListening(address, service.peer) }
    for address in addresses { await service.found(address) }
    if listens, !parsed.has("no-discovery") { await look(for: service, in: log.network) }
    return service
  }

  /// Has others nearby found, and this peer be found by them. Where that cannot be done, addresses can still be
  /// named.
  private func look(for service: PeerService, in network: NetworkID) async {
    do throws(DiscoveryError) {
      let nearby = try Nearby(service, network: network, port: await service.address?.port)
      Task { await nearby.run() }
      await service.atClose { nearby.stop() }
    } catch { console.note(error.description) }
  }

  private func tellListening(_ address: Address, _ peer: PeerID) throws {
    guard isJSON else {
      return console.note("This peer is \(peer.short), and waits for others at \(address).")
    }
    try object(
      "listening", ["address": .string(address.description), "peer": .string(peer.description)])
  }

  /// Everything that playing needs, with the log open for writing, or written by the process that has the folder.
  func household() async throws -> Household {
    try await store.writing {
      let (log, marks) = try store.markedWriter()
      return try household(log, marks, committer: nil)
    } through: { client, log in
      try household(log, nil, committer: client)
    }
  }

  private func household(
    _ log: LMDBEventLog, _ marks: FolderMarks?, committer: ServiceClient?
  ) throws -> Household {
    Household(
      owner: try store.identity(marks), log: log, committer: committer, games: games, bots: ownBots.catalog,
      marks: marks, salt: SigningKey.randomSeed(),
      now: { WallClock.milliseconds() },
      elapsed: { MonotonicClock.tickMilliseconds })
  }
}
