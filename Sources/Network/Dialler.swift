internal import BotKit
internal import Channel
package import Events
internal import Gossip

/// An address that a peer stays connected to, as lists show it.
package struct DialStatus: Hashable, Sendable {
  package let address: Address
  /// Who answered there last.
  package let peer: PeerID?
  package let isConnected: Bool
  /// Whether a connection is being made, or its other end is proving who it is.
  package let isConnecting: Bool
  /// Why it is not, in words.
  package let failure: String?
}

/// An address that a peer stays connected to.
struct Dial {
  enum Stage {
    /// Nothing is tried: its peer is connected otherwise, or there is no use.
    case resting
    case waiting(until: UInt64)
    case connecting(any ConnectionAttempt, until: UInt64)
    /// A connection is there, whose other end is proving who it is.
    case greeting
    case connected
  }

  /// Never used again: who is connected may outlast the dial, and another one of the same address follow.
  let number: Int
  let address: Address
  /// Who must be there; `nil` for anybody.
  fileprivate(set) var wanted: PeerID?
  /// Whether another peer said that it is there, and nobody else.
  fileprivate(set) var isTold: Bool
  fileprivate(set) var stage: Stage
  /// Who answered there last.
  fileprivate(set) var peer: PeerID?
  /// Why it is not connected, in words.
  fileprivate(set) var failure: String?
  /// Why this end refused last what came from there.
  fileprivate(set) var refusal: Refusal?
  /// How often in a row there was no connection.
  fileprivate var failures = 0
  fileprivate var backoff = Backoff()

  /// Who is there, as far as it is known.
  var expected: PeerID? { peer ?? wanted }

  /// When something has to be done about it.
  var deadline: UInt64? {
    switch stage {
    case .waiting(let time), .connecting(_, let time): time
    case .resting, .greeting, .connected: nil
    }
  }

  fileprivate var isResting: Bool { if case .resting = stage { true } else { false } }

  fileprivate func cancel() { if case .connecting(let attempt, _) = stage { attempt.cancel() } }

  fileprivate func status(isConnected: Bool) -> DialStatus {
    let isConnecting =
      switch stage {
      case .connecting, .greeting: !isConnected
      case .resting, .waiting, .connected: false
      }
    return DialStatus(
      address: address, peer: peer, isConnected: isConnected, isConnecting: isConnecting,
      failure: isConnected ? nil : failure)
  }
}

/// The addresses that a peer stays connected to, and when each is tried: a value, which is told the time and what
/// came of the attempts.
struct Dialler {
  private(set) var dials: [Dial] = []
  private let settings: NetworkSettings
  private var random: RandomStream
  private var lastNumber = 0
  private var isHalted = false

  init(_ settings: NetworkSettings, seed: UInt64) {
    self.settings = settings
    random = RandomStream(seed: seed)
  }

  // MARK: - Addresses

  /// Somebody here names an address: it is tried now, and again whenever its connection is lost.
  mutating func add(_ address: Address, wanted: PeerID?, at now: UInt64) {
    if let at = dials.firstIndex(where: { $0.address == address }) {
      guard dials[at].isTold else { return }
      // Who told of it may have named another key, so that nobody is reached there.
      if case .connected = dials[at].stage, wanted == nil || wanted == dials[at].peer {
        dials[at].wanted = wanted
        dials[at].isTold = false
        return
      }
      remove(address)
    }
    append(address, wanted: wanted, isTold: false, at: now)
  }

  /// Another peer tells of an address: it is tried where it is new, and few were told before.
  mutating func meet(_ other: Acquaintance, at now: UInt64) {
    guard !dials.contains(where: { $0.expected == other.peer || $0.address == other.address }),
      dials.count(where: { $0.isTold && !$0.address.isRelayed }) < settings.limitTold
    else { return }
    append(other.address, wanted: other.peer, isTold: true, at: now)
  }

  /// Somebody may be at an address behind a relay: it is tried where it is new, and few such are being tried.
  mutating func hear(of address: Address, at now: UInt64) {
    guard !dials.contains(where: { $0.address == address }) else { return }
    let heard = dials.filter { $0.isTold && $0.address.isRelayed }
    if heard.count >= settings.limitRelayed {
      // One that rests is of a peer that is connected otherwise, or is there no more.
      guard let idle = heard.first(where: \.isResting) else { return }
      remove(idle.address)
    }
    append(address, wanted: nil, isTold: true, at: now)
  }

  private mutating func append(_ address: Address, wanted: PeerID?, isTold: Bool, at now: UInt64) {
    lastNumber += 1
    dials.append(
      Dial(
        number: lastNumber, address: address, wanted: wanted, isTold: isTold,
        stage: isHalted ? .resting : .waiting(until: now)))
  }

  /// An address is tried no more.
  mutating func remove(_ address: Address) {
    for dial in dials where dial.address == address { dial.cancel() }
    dials.removeAll { $0.address == address }
  }

  /// Nothing is tried any more.
  mutating func halt() {
    isHalted = true
    for at in dials.indices {
      dials[at].cancel()
      if dials[at].deadline != nil { dials[at].stage = .resting }
    }
  }

  /// - Parameter isConnected: whether somebody is, over whichever connection.
  func statuses(_ isConnected: (PeerID) -> Bool) -> [DialStatus] {
    dials.map { $0.status(isConnected: $0.peer.map(isConnected) ?? false) }
  }

  // MARK: - Time

  /// When `takeDue` has something to do; `nil` for never.
  var deadline: UInt64? { dials.compactMap(\.deadline).min() }

  /// Gives up attempts that took too long, and takes the dials that are to be tried now.
  /// - Parameter isConnected: whether somebody is, and needs no connection by such an address; `lost` brings its dial
  ///   back.
  mutating func takeDue(at now: UInt64, _ isConnected: (PeerID, Address) -> Bool) -> [Dial] {
    for dial in dials {
      guard case .connecting(let attempt, let limit) = dial.stage, limit <= now else { continue }
      attempt.cancel()
      failed(dial.number, NetworkError.noAnswer(dial.address).description, at: now)
    }
    var due: [Dial] = []
    for at in dials.indices {
      guard case .waiting(let time) = dials[at].stage, time <= now else { continue }
      dials[at].stage = .resting
      if let peer = dials[at].expected, isConnected(peer, dials[at].address) { continue }
      due.append(dials[at])
    }
    return due
  }

  // MARK: - Attempts

  /// A dial is being tried.
  mutating func began(_ number: Int, _ attempt: any ConnectionAttempt, at now: UInt64) {
    let limit = now + settings.connectMilliseconds
    change(number) { $0.stage = .connecting(attempt, until: limit) }
  }

  /// There is a connection, whose other end proves who it is.
  mutating func reached(_ number: Int) { change(number) { $0.stage = .greeting } }

  /// This peer is at the other end.
  mutating func found(_ peer: PeerID, by number: Int?) { change(number) { $0.peer = peer } }

  /// The connection is one with a neighbour from now on.
  mutating func connected(_ number: Int?) {
    change(number) { dial in
      dial.stage = .connected
      dial.failure = nil
      dial.failures = 0
    }
  }

  /// This end refuses what came from there.
  mutating func refused(_ number: Int?, _ reason: Refusal) {
    change(number) { dial in
      dial.failure = reason.description
      dial.refusal = reason
    }
  }

  /// The connection has ended: tries again later, soon where it had held.
  mutating func ended(_ number: Int?, _ reason: ChannelError?, hasHeld: Bool, at now: UInt64) {
    guard let at = index(number) else { return }
    dials[at].stage = .resting
    if hasHeld { dials[at].backoff.reset() }
    var words = reason?.description ?? "the connection ended"
    switch reason {
    case .oneself:
      // There is nothing to be had at this address.
      dials[at].failure = words
      if dials[at].isTold { dials.remove(at: at) }
      return
    case .version, .otherNetwork, .keyedAlone, .otherPeer, .notParlor, .ended(.twin, _):
      dials[at].backoff.slowDown()
    case .ended(.refused, byOther: false): words = dials[at].failure ?? "it was refused"
    default: break
    }
    if !isHalted { fail(at, words, now) }
  }

  /// There is no connection: tries again later, and an address that was told only so often.
  mutating func failed(_ number: Int, _ words: String, at now: UInt64) {
    if let at = index(number) { fail(at, words, now) }
  }

  private mutating func fail(_ at: Int, _ words: String, _ now: UInt64) {
    dials[at].failure = words
    dials[at].failures += 1
    if dials[at].isTold, dials[at].failures >= settings.limitToldFailures {
      dials.remove(at: at)
    } else {
      dials[at].stage = .waiting(until: now + dials[at].backoff.pause(&random))
    }
  }

  /// A peer is connected no more: the dials that rested because it was are tried again.
  mutating func lost(_ peer: PeerID, at now: UInt64) {
    for at in dials.indices where !isHalted && dials[at].expected == peer {
      guard case .resting = dials[at].stage else { continue }
      dials[at].stage = .waiting(until: now + dials[at].backoff.pause(&random))
    }
  }

  private func index(_ number: Int?) -> Int? { dials.firstIndex { $0.number == number } }

  private mutating func change(_ number: Int?, _ body: (inout Dial) -> Void) {
    if let at = index(number) { body(&dials[at]) }
  }
}
