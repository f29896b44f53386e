import Discovery
import EventLog
import Events
import Games
import Network
import Peer
import Platform
import Rules
import Service
import Terminal

extension Context {
  /// What every command takes that works with other peers.
  static let networkOptions: [OptionDefinition] =
    [
      .value(
        "connect", "HOST:PORT", "Stay connected to the peer at this address.", repeats: true),
      .value(
        "listen", "HOST:PORT", "Wait for peers here; port 0 lets the system choose.", standard: "[::]:0"),
      .value(
        "key", "FILE", "A file with the 64 hexadecimal digits that the peers of a private network share.",
        kind: .file),
      .flag(
        "no-discovery",
        "Neither look for peers nearby nor tell them of this one, nor learn of peers from others."),
    ] + RelayOptions.definitions

  /// What such a command says at its start.
  static let listeningObject = ObjectDefinition(
    "listening", "At the start, where this process waits for peers.",
    ["address": "host and port", "peer": "this peer's public key"])

  /// How long a process that has the data folder may take from its lock to its socket.
  private static let startMilliseconds = 2_000

  /// The pauses, in milliseconds, after which a command that is over looks again whether others have what it has
  /// written.
  private static let handOverPauses = [10, 20, 40, 80, 160, 320, 640]

  /// Does something with the folder's store open for writing, or through the process that has it already.
  func withStore<Result>(
    _ own: () async throws -> Result, through: (ServiceClient, LMDBEventLog) async throws -> Result
  ) async throws -> Result {
    let clock = ContinuousClock()
    let end = clock.now + .milliseconds(Self.startMilliseconds)
    while true {
      do { return try await own() } catch let error as LogError {
        guard case .locked = error else { throw error }
        if let (client, log) = try await client() {
          do { return try await through(client, log) } catch {
            await client.close()
            throw error
          }
        }
        // Whoever writes a log alone, as a match does, listens to nobody; others may be about to.
        guard clock.now < end else { throw error }
        try await Task.sleep(for: .milliseconds(50))
      }
    }
  }

  /// The peer of the data folder: in this process, or in the one that has the folder already.
  func service(_ parsed: ParsedCommand) async throws -> any Service {
    try await withStore { () async throws -> any Service in
      try await peerService(parsed)
    } through: { client, _ in
      for address in try addresses(parsed) { _ = try await client.perform(.connect(address)) }
      if try NATSOptions.relay.settings(parsed) != nil {
        console.note(
          "Another process has the data folder, and meets peers as it was told to: --relay counts there.")
      }
      return client
    }
  }

  /// The peer of the data folder, in this process without a network, or in the one that has the folder already.
  func folderService(_ parsed: ParsedCommand) async throws -> any Service {
    try await withStore { () async throws -> any Service in
      try await peerService(parsed, listens: false)
    } through: { client, _ in
      client
    }
  }

  /// The peer in the process that has the folder, and the store to be read beside it; `nil` when that does not
  /// listen.
  private func client() async throws -> (ServiceClient, LMDBEventLog)? {
    let log: LMDBEventLog
    do { log = try reader() } catch let error as LogError {
      guard case .noStore = error else { throw error }
      return nil
    }
    return try await ServiceClient.connect(folder: try dataFolder().path, log: log, games: games)
      .map { ($0, log) }
  }

  /// The peer of the data folder, in this process.
  func peerService(
    _ parsed: ParsedCommand, listens: Bool = true, wantsEverything: Bool = false, keepsArchive: Bool = false,
    limitStrangersBytes: Int = NetworkSettings.standard.limitStrangersBytes,
    policy: Steward.Policy = .person
  ) async throws -> PeerService {
    let addresses = listens ? try addresses(parsed) : []
    let listen = listens ? try listenAddress(parsed) : nil
    let takesKey = parsed.definition.options.contains { $0.name == "key" }
    let key = takesKey ? try presharedKey(parsed) : nil
    let relay = listens ? try NATSOptions.relay.settings(parsed) : nil
    // The lock comes first: who is refused must not have made an identity.
    let (log, marks) = try markedWriter()
    let folder = try dataFolder().path
    var settings = ServiceSettings(
      signer: try identity(marks), log: log, games: games, folder: folder, listen: listen,
      tellsOfPeers: listens && !parsed.has("no-discovery"), keepsArchive: keepsArchive, presharedKey: key,
      marks: marks,
      now: { WallClock.milliseconds() })
    settings.wantsEverything = wantsEverything
    settings.limitStrangersBytes = limitStrangersBytes
    settings.blocked = try BlockedPeers.read(in: folder)
    if let relay {
      let shell = try Shell.machine()
      settings.shell = shell
      settings.relay = try await openRelay(relay, log.network, shell.loop)
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

  /// Calls `body`, and lets go of the peer whatever happens.
  func using(_ service: any Service, _ body: () async throws -> ExitStatus) async throws -> ExitStatus {
    let result: Result<ExitStatus, any Error>
    do {
      let status = try await body()
      if status != .interrupted { try await handOver(service) }
      result = .success(status)
    } catch { result = .failure(error) }
    let failure = await (service as? PeerService)?.failure()
    await service.close()
    // What stopped the peer says more than what stopped the command because of it.
    if let failure { throw failure }
    return try result.get()
  }

  /// Waits until others have what was written here, but not for long: who has not heard of a game's end when this
  /// process is gone waits for it.
  private func handOver(_ service: any Service) async throws {
    guard let here = service as? PeerService, await !here.surroundings.isHandedOver() else { return }
    await here.closeSocket()
    for pause in Self.handOverPauses {
      guard await !here.surroundings.isHandedOver() else { return }
      try await Task.sleep(for: .milliseconds(pause))
    }
  }

  /// Where `--connect` leads.
  func addresses(_ parsed: ParsedCommand) throws -> [Address] {
    try parsed.texts("connect").map { text in
      do throws(NetworkError) { return try Address(text) } catch {
        throw parsed.badValue("connect", error.description)
      }
    }
  }

  private func listenAddress(_ parsed: ParsedCommand) throws -> Address {
    do throws(NetworkError) { return try Address(parsed.text("listen") ?? "[::]:0") } catch {
      throw parsed.badValue("listen", error.description)
    }
  }

  private func tellListening(_ address: Address, _ peer: PeerID) throws {
    guard isJSON else {
      return console.note("This peer is \(peer.short), and waits for others at \(address).")
    }
    try object(
      "listening", ["address": .string(address.description), "peer": .string(peer.description)])
  }

  private func presharedKey(_ parsed: ParsedCommand) throws -> [UInt8]? {
    guard let path = parsed.text("key") else { return nil }
    let file = try OpenFile.reading(path)
    var reader = LineReader(file.descriptor)
    guard case .line(let text) = try reader.next(), let key = [UInt8](hex: text), key.count == 32 else {
      throw parsed.badValue("key", "the file does not begin with a line of 64 hexadecimal digits")
    }
    return key
  }

  /// A key that was typed.
  func peerID(_ text: String) -> PeerID? { Bytes32(hex: text).map { PeerID($0) } }
}
