internal import BotKit
package import EventLog
package import Events
internal import Gossip
package import Network
internal import Peer
package import Projection
package import Rules

/// The peer of a data folder that another process has: what is wanted goes through that process's local socket, and
/// what there is to read is read from the log beside it.
package actor ServiceClient: Service {
  package nonisolated let peer: PeerID
  private nonisolated let loop: EventLoop
  private let stream: any ByteStream
  private let log: any EventLog
  private let games: GameCatalog
  package nonisolated var store: any EventLog { log }
  package nonisolated var catalog: GameCatalog { games }
  private var assembler: FrameAssembler
  private var lastNumber: UInt32 = 0
  private var answers: [UInt32: CheckedContinuation<Result<[ServiceFrame], ServiceError>, Never>] = [:]
  /// What has come of answers that are not whole.
  private var parts: [UInt32: [ServiceFrame]] = [:]
  /// The most frames of one answer.
  private static let limitParts = 4_096
  private var watchers: [Changes.Source] = []
  private var end: ServiceError?

  package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.ownersExecutor }

  /// A connection before the other end has said who it is.
  private actor Greeting {
    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.ownersExecutor }

    init(_ loop: EventLoop) { self.loop = loop }

    func connect(_ folder: String, _ log: any EventLog, _ games: GameCatalog) async throws(ServiceError)
      -> ServiceClient?
    {
      let found: (any ByteStream)?
      do throws(NetworkError) {
        found = try LocalSocket(ServiceSocket.name, in: folder, loop).connect()
      } catch {
        throw ServiceError(error)
      }
      guard let stream = found else { return nil }
      var assembler = FrameAssembler()
      let result = await withCheckedContinuation {
        (answer: CheckedContinuation<Result<PeerID, ServiceError>, Never>) in
        var isAnswered = false
        func finish(_ result: Result<PeerID, ServiceError>) {
          guard !isAnswered else { return }
          isAnswered = true
          answer.resume(returning: result)
        }
        stream.start { event in
          switch event {
          case .received(let bytes):
            do throws(FormatError) {
              guard let first = try assembler.take(bytes).first else { return }
              guard case .welcome(let peer) = first else {
                return finish(.failure(.gone("it is another version of this program")))
              }
              stream.setReading(false)
              finish(.success(peer))
            } catch { finish(.failure(.gone("it is another version of this program"))) }
          case .drained: break
          case .ended: finish(.failure(.gone("it has ended, or is another version of this program")))
          }
        }
        stream.write(ServiceFrame.hello.encoded())
      }
      switch result {
      case .success(let peer):
        let client = ServiceClient(peer, loop, stream, log, games, assembler)
        await client.start()
        return client
      case .failure(let error):
        stream.close(afterWriting: false)
        throw error
      }
    }
  }

  /// Connects to the process that has a data folder; `nil` when it listens to nobody.
  /// - Parameter log: the folder's store, open for reading.
  package static func connect(
    folder: String, log: any EventLog, games: GameCatalog
  ) async throws(ServiceError) -> ServiceClient? {
    try await Greeting(Shell.forService().loop).connect(folder, log, games)
  }

  private init(
    _ peer: PeerID, _ loop: EventLoop, _ stream: any ByteStream, _ log: any EventLog, _ games: GameCatalog,
    _ assembler: FrameAssembler
  ) {
    self.peer = peer
    self.loop = loop
    self.stream = stream
    self.log = log
    self.games = games
    self.assembler = assembler
  }

  private func start() {
    stream.start { event in self.take(event) }
    stream.setReading(true)
  }

  private func take(_ event: StreamEvent) {
    switch event {
    case .received(let bytes):
      do throws(FormatError) { for frame in try assembler.take(bytes) { take(frame) } } catch {
        finish(.gone("it sent what this program does not understand: \(error)"))
      }
    case .drained: break
    case .ended: finish(.gone("it has ended"))
    }
  }

  private func take(_ frame: ServiceFrame) {
    switch frame {
    case .done(let number, _): take(frame, of: number, isLast: true)
    case .neighbours(let number, let isLast, _), .openGames(let number, let isLast, _),
      .table(let number, let isLast, _):
      take(frame, of: number, isLast: isLast)
    case .failed(0, let error): finish(error)
    case .failed(let number, let error):
      answers.removeValue(forKey: number)?.resume(returning: .failure(error))
    case .changed: for watcher in watchers { watcher.tell() }
    default: finish(.gone("it sent what is no answer"))
    }
  }

  /// Takes one frame of an answer, which is given when it is whole.
  private func take(_ frame: ServiceFrame, of number: UInt32, isLast: Bool) {
    guard answers[number] != nil else { return }
    let parts = (parts.removeValue(forKey: number) ?? []) + [frame]
    if isLast {
      answers.removeValue(forKey: number)?.resume(returning: .success(parts))
    } else if parts.count < Self.limitParts {
      self.parts[number] = parts
    } else {
      finish(.gone("its answer does not end"))
    }
  }

  private func finish(_ error: ServiceError) {
    guard end == nil else { return }
    end = error
    stream.close(afterWriting: false)
    let waiting = answers.sorted { $0.key < $1.key }
    answers = [:]
    parts = [:]
    for (_, answer) in waiting { answer.resume(returning: .failure(error)) }
    for watcher in watchers { watcher.finish() }
    watchers = []
  }

  private func ask(_ question: (UInt32) -> ServiceFrame) async throws(ServiceError) -> [ServiceFrame] {
    if let end { throw end }
    // No command asks so often that a number comes again.
    lastNumber &+= 1
    let number = max(lastNumber, 1)
    let frame = question(number).encoded()
    // Getting there may take a turn of the loop: whoever asks first can miss the answer, and what ends meanwhile.
    let answer = await withCheckedContinuation {
      (answer: CheckedContinuation<Result<[ServiceFrame], ServiceError>, Never>) in
      if let end { return answer.resume(returning: .failure(end)) }
      answers[number] = answer
      stream.write(frame)
    }
    return try answer.get()
  }

  // MARK: - What commands ask

  package func perform(_ intent: Intent) async throws(ServiceError) -> RoomID {
    guard case .done(_, let room) = try await ask({ .perform(number: $0, intent) }).first else {
      throw unexpected
    }
    return room
  }

  package func neighbours() async throws(ServiceError) -> [NeighbourStatus] {
    var all: [NeighbourStatus] = []
    for frame in try await ask({ .askNeighbours(number: $0) }) {
      guard case .neighbours(_, _, let some) = frame else { throw unexpected }
      all += some
    }
    return all
  }

  package func openGames() async throws(ServiceError) -> [RoomID] {
    try await rooms { .askOpenGames(number: $0) }
  }

  package func leftTables() async throws(ServiceError) -> [RoomID] {
    try await rooms { .askLeftTables(number: $0) }
  }

  package func forget(_ rooms: [RoomID], _ which: Forgetting) async throws(ServiceError) -> [RoomID] {
    var forgotten: [RoomID] = []
    for start in stride(from: 0, to: rooms.count, by: ServiceFrame.limitRooms) {
      let some = Array(rooms[start...].prefix(ServiceFrame.limitRooms))
      forgotten += try await self.rooms { .forget(number: $0, which, some) }
    }
    return forgotten
  }

  package func attend(_ room: RoomID) async throws(ServiceError) {
    guard case .done = try await ask({ .attend(number: $0, room) }).first else { throw unexpected }
  }

  private func rooms(_ question: (UInt32) -> ServiceFrame) async throws(ServiceError) -> [RoomID] {
    var all: [RoomID] = []
    for frame in try await ask(question) {
      guard case .openGames(_, _, let some) = frame else { throw unexpected }
      all += some
    }
    return all
  }

  package func table(of room: RoomID) async throws(ServiceError) -> TableView? {
    var json: [UInt8] = []
    for frame in try await ask({ .askTable(number: $0, room) }) {
      guard case .table(_, _, let part) = frame else { throw unexpected }
      json += part
    }
    guard !json.isEmpty else { return nil }
    do throws(FormatError) { return try TableView(json: json) } catch {
      throw .gone("it sent what is no table: \(error)")
    }
  }

  private var unexpected: ServiceError { .gone("it answered another question") }

  package func changes() -> Changes {
    let (changes, watcher) = Changes.make()
    if end == nil { watchers.append(watcher) } else { watcher.finish() }
    return changes
  }

  package func close() { finish(.gone("this command has let go of it")) }

  // MARK: - What is read from the log

  package func state(of room: RoomID) throws(ServiceError) -> RoomState? {
    if let end { throw end }
    do throws(LogError) { return try log.state(of: room, verify: false, games) } catch {
      if case .unknownRoom = error { return nil }
      throw .peer(.log(error.description))
    }
  }

  package func room(named name: String) throws(ServiceError) -> RoomID? {
    if let end { throw end }
    return try log.room(named: name)
  }

  package func rematch(of room: RoomID, by creator: PeerID) throws(ServiceError) -> RoomID? {
    if let end { throw end }
    return try log.rematch(of: room, by: creator)
  }

  package func unfinishedRounds(of rules: String) throws(ServiceError) -> RoomID? {
    if let end { throw end }
    for room in try log.hostedRooms(of: rules, by: peer) {
      let phase = try state(of: room)?.phase
      if phase == .waiting || phase == .playing { return room }
    }
    return nil
  }

  package func hasDeclined(_ peer: PeerID, _ room: RoomID) throws(ServiceError) -> Bool {
    if let end { throw end }
    do throws(LogError) { return try log.load(room, verify: false).hasDeclined(peer) } catch {
      if case .unknownRoom = error { return false }
      throw .peer(.log(error.description))
    }
  }
}

// MARK: - What a command plays by itself

extension ServiceClient: EventCommitter {
  package func commit(_ changes: [RoomChange]) async throws(LogError) {
    let messages = changes.flatMap(\.messages)
    for (at, bytes) in messages.enumerated() {
      try await asked { .take(number: $0, isLast: at == messages.count - 1, bytes) }
    }
  }

  package func reserve(_ room: RoomID) async throws(LogError) {
    try await asked { .reserve(number: $0, room) }
  }

  private func asked(_ question: (UInt32) -> ServiceFrame) async throws(LogError) {
    do throws(ServiceError) { _ = try await ask(question) } catch {
      switch error {
      case .gone: throw .busy("\(error.description); start this command again")
      case .busy(let words): throw .busy(words)
      case .peer(.full(let words)): throw .full(words)
      default: throw .store(error.description)
      }
    }
  }
}

extension RoomChange {
  /// How many bytes of events go into one message, but for a run that has more.
  private static let messageBytes = 49_152

  /// Its events as a command on a data folder hands them to the peer there.
  package var messages: [[UInt8]] {
    var messages: [RunsMessage] = []
    var bytes = 0
    for run in runs {
      let size = run.events.reduce(0) { $0 + $1.bodyBytes }
      if messages.isEmpty || bytes + size > Self.messageBytes {
        messages.append(RunsMessage(room: room, runs: []))
        bytes = 0
      }
      messages[messages.count - 1].runs.append(run)
      bytes += size
    }
    return messages.map { Message.runs($0).encoded() }
  }
}
