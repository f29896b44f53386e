internal import Events
internal import Network

/// The local socket of the process that has a data folder: what other commands on the folder want comes in here.
actor ServiceSocket {
  /// The socket's name in the data folder.
  static let name = "socket"
  /// The most commands at a time.
  private static let limitClients = 32
  /// The most bytes that may wait for a command to read them.
  private static let limitQueuedBytes = 1 << 20

  /// A command that has connected.
  private final class Client {
    let stream: any ByteStream
    /// Told apart by it; a number is never used again.
    let number: Int
    var assembler = FrameAssembler()
    var hasGreeted = false
    /// What it wants, in order; it is read no further while something waits here.
    var wants: [ServiceFrame] = []
    var isBusy = false
    /// Whether it is to be told that something changed, as soon as it has read what was sent before.
    var isOwedChange = false

    init(_ stream: any ByteStream, _ number: Int) {
      self.stream = stream
      self.number = number
    }
  }

  private nonisolated let loop: EventLoop
  private let service: PeerService
  private var clients: [Client] = []
  private var lastNumber = 0
  private var listener: (any Listener)?
  private var watcher: Task<Void, Never>?
  private var isClosing = false
  /// Who waits until what is under way is answered.
  private var atEnd: [CheckedContinuation<Void, Never>] = []

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.ownersExecutor }

  init(_ service: PeerService, _ loop: EventLoop) {
    self.service = service
    self.loop = loop
  }

  /// Begins to listen in a folder whose lock this process has.
  func listen(in folder: String) async throws(NetworkError) {
    let socket = LocalSocket(Self.name, in: folder, loop)
    listener = try socket.listen { stream in self.accept(stream) }
    let changes = await service.changes()
    watcher = Task { for await _ in changes { self.tellChange() } }
  }

  /// Ends; what is being done for a command is done and answered before, and nothing else is begun.
  func close() async {
    isClosing = true
    listener?.close()
    listener = nil
    watcher?.cancel()
    for client in clients where !client.isBusy { drop(client) }
    guard !clients.isEmpty else { return }
    await withCheckedContinuation { atEnd.append($0) }
  }

  private func accept(_ stream: any ByteStream) {
    guard clients.count < Self.limitClients else { return stream.close(afterWriting: false) }
    lastNumber += 1
    let client = Client(stream, lastNumber)
    clients.append(client)
    stream.start { [weak client] event in
      if let client { self.take(event, client) }
    }
  }

  private func drop(_ client: Client) {
    clients.removeAll { $0 === client }
    client.wants = []
    client.stream.close(afterWriting: true)
    // What is being done for it may still reserve a room.
    if !client.isBusy { release(client) }
    guard isClosing, clients.isEmpty else { return }
    for waiter in atEnd { waiter.resume() }
    atEnd = []
  }

  private func release(_ client: Client) {
    let (service, number) = (service, client.number)
    Task { await service.release(number) }
  }

  private func take(_ event: StreamEvent, _ client: Client) {
    switch event {
    case .received(let bytes):
      do throws(FormatError) { client.wants += try client.assembler.take(bytes) } catch {
        send([.failed(number: 0, .gone("it was sent what it does not understand: \(error)"))], to: client)
        return drop(client)
      }
      work(for: client)
    case .drained:
      guard client.isOwedChange else { return }
      client.isOwedChange = false
      send([.changed], to: client)
    case .ended: drop(client)
    }
  }

  /// Does what a command wants, one thing after the other.
  private func work(for client: Client) {
    client.stream.setReading(client.wants.isEmpty)
    guard !isClosing, !client.isBusy, !client.wants.isEmpty else { return }
    let want = client.wants.removeFirst()
    guard client.hasGreeted || want == .hello else { return drop(client) }
    client.isBusy = true
    Task {
      let answer = await self.answer(want, of: client.number)
      self.finish(client, with: answer)
    }
  }

  private func finish(_ client: Client, with answer: [ServiceFrame]) {
    client.isBusy = false
    guard clients.contains(where: { $0 === client }) else { return release(client) }
    guard !answer.isEmpty else { return drop(client) }
    client.hasGreeted = true
    send(answer, to: client)
    if isClosing { drop(client) } else { work(for: client) }
  }

  /// What is answered; nothing to what no command sends.
  private func answer(_ want: ServiceFrame, of command: Int) async -> [ServiceFrame] {
    switch want {
    case .hello: return [.welcome(service.peer)]
    case .perform(let number, let intent):
      do throws(ServiceError) {
        return [.done(number: number, try await service.perform(intent, of: command))]
      } catch {
        return [.failed(number: number, error)]
      }
    case .take(let number, let isLast, let bytes):
      do throws(ServiceError) {
        return [.done(number: number, try await service.take(bytes, isLast: isLast, from: command))]
      } catch { return [.failed(number: number, error)] }
    case .reserve(let number, let room):
      do throws(ServiceError) {
        try await service.reserve(room, for: command)
        return [.done(number: number, room)]
      } catch { return [.failed(number: number, error)] }
    case .askTable(let number, let room):
      do throws(ServiceError) {
        return ServiceFrame.answer(number, try await service.table(of: room))
      } catch { return [.failed(number: number, error)] }
    case .attend(let number, let room):
      do throws(ServiceError) {
        try await service.attend(room, for: command)
        return [.done(number: number, room)]
      } catch { return [.failed(number: number, error)] }
    case .forget(let number, let which, let rooms):
      do throws(ServiceError) {
        return ServiceFrame.answer(number, try await service.forget(rooms, which))
      } catch { return [.failed(number: number, error)] }
    case .askLeftTables(let number): return ServiceFrame.answer(number, await service.leftTables())
    case .askNeighbours(let number): return ServiceFrame.answer(number, await service.neighbours())
    case .askOpenGames(let number): return ServiceFrame.answer(number, await service.openGames())
    default: return []
    }
  }

  private func tellChange() {
    for client in clients where client.hasGreeted {
      if client.stream.queuedBytes > 0 { client.isOwedChange = true } else { send([.changed], to: client) }
    }
  }

  private func send(_ frames: [ServiceFrame], to client: Client) {
    guard client.stream.queuedBytes < Self.limitQueuedBytes else { return drop(client) }
    for frame in frames { client.stream.write(frame.encoded()) }
  }
}
