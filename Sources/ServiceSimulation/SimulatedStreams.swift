import Network
import Simulation

/// Streams between simulated machines: bytes come in order, in pieces, after a while; hosts die, and fall apart into
/// groups.
///
/// As everything of streams it is touched on the loop's thread alone.
final class SimulatedNetwork: Sendable {
  let machine: SimulatedMachine
  let loop: EventLoop
  private let microseconds: ClosedRange<Int>
  // SAFETY: what follows is touched on the machine's thread alone.
  nonisolated(unsafe) fileprivate var listeners: [Address: SimulatedListener] = [:]
  // SAFETY: as the listeners.
  nonisolated(unsafe) private var streams: [SimulatedStream] = []
  // SAFETY: as the listeners. By host: its group; those of other groups are out of reach.
  nonisolated(unsafe) private var groups: [Int: Int] = [:]
  // SAFETY: as the listeners.
  nonisolated(unsafe) private(set) var counts = (pieces: 0, bytes: 0, connections: 0)
  // SAFETY: as the listeners. Is told of each piece that arrives.
  nonisolated(unsafe) var watcher: ((_ bytes: [UInt8], _ from: Int, _ to: Int) -> Void)?

  /// - Parameter microseconds: how long bytes are under way.
  init(_ machine: SimulatedMachine, _ loop: EventLoop, microseconds: ClosedRange<Int>) {
    self.machine = machine
    self.loop = loop
    self.microseconds = microseconds
  }

  /// Where a host's peer waits for others.
  static func address(of host: Int) -> Address { Address(host: "10.0.0.\(host + 1)", port: 7_000) }

  /// How many connections are open at a host's end; of those, only such as have their other end at some hosts.
  func openEnds(of host: Int, at others: (Int) -> Bool = { _ in true }) -> Int {
    unsafe streams.count { $0.host == host && $0.isOpen && others($0.otherHost) }
  }

  /// How long something is under way, as chance has it.
  var delay: UInt64 { machine.draw(microseconds) }

  func reaches(_ one: Int, _ other: Int) -> Bool {
    unsafe groups[one, default: 0] == groups[other, default: 0]
  }

  /// Has hosts fall apart into groups, or none; what is under way between them waits, and every second connection ends.
  func split(_ groups: [Int: Int]) {
    unsafe self.groups = groups
    for stream in unsafe streams {
      if reaches(stream.host, stream.otherHost) {
        stream.goOn()
      } else if machine.draw(0...1) == 0 {
        stream.breakOff()
      }
    }
    unsafe streams.removeAll { $0.isOver }
  }

  /// A host dies: nothing that it sends arrives any more, and others find their connections ended.
  func kill(_ host: Int) {
    unsafe listeners = listeners.filter { $0.value.host != host }
    for stream in unsafe streams where stream.host == host { stream.die() }
    unsafe streams.removeAll { $0.isOver }
  }

  fileprivate func join(_ attempt: SimulatedAttempt, from host: Int, to address: Address) {
    guard let done = attempt.take() else { return }
    guard let listener = unsafe listeners[address] else {
      return done(.failure(.system("cannot connect to \(address)", "connection refused")))
    }
    let near = SimulatedStream(self, host, listener.host, remote: address)
    let far = SimulatedStream(self, listener.host, host, remote: Self.address(of: host))
    (near.other, far.other) = (far, near)
    unsafe streams.removeAll { $0.isOver }
    unsafe streams += [near, far]
    unsafe counts.connections += 1
    listener.accept(far)
    done(.success(near))
  }

  fileprivate func note(_ bytes: [UInt8], from: Int, to: Int) {
    unsafe counts.pieces += 1
    unsafe counts.bytes += bytes.count
    unsafe watcher?(bytes, from, to)
  }
}

/// The way to other simulated hosts, for one life of one host.
final class SimulatedStreams: Transport {
  private let network: SimulatedNetwork
  private let host: Int
  // SAFETY: touched on the machine's thread alone. Whether the host has died.
  nonisolated(unsafe) var isDead = false

  init(_ network: SimulatedNetwork, host: Int) {
    self.network = network
    self.host = host
  }

  var loop: EventLoop { network.loop }

  func serves(_ address: Address) -> Bool { true }

  func listen(
    on address: Address, _ accept: @escaping (any ByteStream) -> Void
  ) throws(NetworkError) -> any Listener {
    let listener = SimulatedListener(network, address, host, accept)
    guard unsafe network.listeners[address] == nil else {
      throw .system("cannot listen on \(address)", "address already in use")
    }
    unsafe network.listeners[address] = listener
    return listener
  }

  func connect(
    to address: Address, _ done: @escaping (Result<any ByteStream, NetworkError>) -> Void
  ) -> any ConnectionAttempt {
    let attempt = SimulatedAttempt(done)
    let (network, machine) = (network, network.machine)
    machine.at(machine.microseconds + 2 * network.delay) { [self] in
      guard unsafe !isDead else { return }
      let target = unsafe network.listeners[address]?.host
      guard target.map({ network.reaches(host, $0) }) ?? true else {
        // Nobody says no; the system gives up after a while.
        return machine.at(machine.microseconds + 3_000_000) {
          if let done = attempt.take() { done(.failure(.noAnswer(address))) }
        }
      }
      network.join(attempt, from: host, to: address)
    }
    return attempt
  }
}

final class SimulatedListener: Listener {
  let address: Address
  let host: Int
  let accept: (any ByteStream) -> Void
  private let network: SimulatedNetwork

  init(
    _ network: SimulatedNetwork, _ address: Address, _ host: Int,
    _ accept: @escaping (any ByteStream) -> Void
  ) {
    (self.network, self.address, self.host, self.accept) = (network, address, host, accept)
  }

  func close() {
    if unsafe network.listeners[address] === self { unsafe network.listeners[address] = nil }
  }
}

private final class SimulatedAttempt: ConnectionAttempt {
  private var done: ((Result<any ByteStream, NetworkError>) -> Void)?

  init(_ done: @escaping (Result<any ByteStream, NetworkError>) -> Void) { self.done = done }

  /// Whom to tell, once.
  func take() -> ((Result<any ByteStream, NetworkError>) -> Void)? { done.take() }

  func cancel() { done = nil }
}

/// One end of a connection between simulated hosts.
private final class SimulatedStream: ByteStream {
  private enum Parcel {
    case bytes([UInt8])
    case end
  }

  let remote: Address
  let host: Int
  let otherHost: Int
  var other: SimulatedStream?
  private let network: SimulatedNetwork
  private var receive: ((StreamEvent) -> Void)?
  private var isReading = false
  private var isClosed = false
  private(set) var queuedBytes = 0
  /// What has arrived for the other end and was not taken by it.
  private var arrived: [Parcel] = []
  private var lastArrival: UInt64 = 0

  init(_ network: SimulatedNetwork, _ host: Int, _ otherHost: Int, remote: Address) {
    self.network = network
    self.host = host
    self.otherHost = otherHost
    self.remote = remote
  }

  /// Whether this end takes and says something.
  var isOpen: Bool { !isClosed && other != nil }
  /// Whether nothing goes either way any more.
  var isOver: Bool { other == nil }

  func start(_ receive: @escaping (StreamEvent) -> Void) {
    self.receive = receive
    setReading(true)
  }

  func setReading(_ isReading: Bool) {
    self.isReading = isReading
    if isReading {
      let (machine, other) = (network.machine, other)
      machine.at(machine.microseconds) { other?.goOn() }
    }
  }

  func write(_ bytes: [UInt8]) {
    guard !bytes.isEmpty, !isClosed, other != nil else { return }
    queuedBytes += bytes.count
    let cut = network.machine.draw(0...7) == 0 ? Int(network.machine.draw(0...(bytes.count - 1))) : 0
    if cut > 0 { send(.bytes(Array(bytes[..<cut]))) }
    send(.bytes(Array(bytes[cut...])))
  }

  private func send(_ parcel: Parcel) {
    let machine = network.machine
    lastArrival = max(lastArrival + 1, machine.microseconds + network.delay)
    machine.at(lastArrival) { [self] in
      guard other != nil else { return }
      arrived.append(parcel)
      goOn()
    }
  }

  /// Hands on what has arrived, as long as the other end reads and can be reached.
  func goOn() {
    guard let other, network.reaches(host, otherHost) else { return }
    let hadBytes = queuedBytes > 0
    while !arrived.isEmpty, other.isReading || other.isClosed {
      switch arrived.removeFirst() {
      case .bytes(let bytes):
        queuedBytes -= bytes.count
        guard !other.isClosed else { continue }
        network.note(bytes, from: host, to: otherHost)
        other.receive?(.received(bytes))
      case .end: return other.finish()
      }
      if self.other == nil { return }
    }
    if hadBytes, queuedBytes == 0, !isClosed { receive?(.drained) }
  }

  /// The other end has ended.
  private func finish() {
    other = nil
    isClosed = true
    let receive = receive
    self.receive = nil
    receive?(.ended)
  }

  func close(afterWriting: Bool) {
    receive = nil
    guard !isClosed else { return }
    isClosed = true
    send(.end)
    // What the other end still sends is read by nobody.
    let (machine, other) = (network.machine, other)
    machine.at(machine.microseconds) { other?.goOn() }
  }

  /// The connection ends for both, without a word.
  func breakOff() {
    guard let other else { return }
    finish()
    other.finish()
  }

  /// This end's host has died.
  func die() {
    guard let other else { return }
    self.other = nil
    isClosed = true
    receive = nil
    let machine = network.machine
    machine.at(machine.microseconds + network.delay) { other.finish() }
  }
}
