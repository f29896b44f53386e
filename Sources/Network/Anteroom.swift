/// Connections that came and whose other ends have not proven who they are, by host.
///
/// Hosts are served in turns, and whoever opens many connections crowds out its own.
struct Anteroom {
  private struct Host {
    /// In the order in which they came.
    var waiting: [Connection] = []
    /// Of these, those that have said something which nobody has heard, in the order in which they did.
    var held: [Connection] = []
  }

  private var hosts: [String: Host] = [:]
  /// The hosts that have something to be heard, the next one first.
  private var turns: [String] = []
  private(set) var count = 0
  /// Whether they are heard when the loop goes round next.
  private var willHear = false

  /// Whether something is to be heard.
  var hasHeld: Bool { !turns.isEmpty }

  /// Plans to hear some of them when the loop goes round next.
  /// - Returns: whether that was not planned.
  mutating func planHearing() -> Bool {
    defer { willHear = true }
    return !willHear
  }

  /// They are being heard.
  mutating func beginHearing() { willHear = false }

  mutating func add(_ connection: Connection) {
    hosts[connection.source, default: Host()].waiting.append(connection)
    count += 1
  }

  /// Forgets a connection, if it is here.
  mutating func remove(_ connection: Connection) {
    let source = connection.source
    guard var host = hosts[source], let at = host.waiting.firstIndex(where: { $0 === connection })
    else { return }
    hosts[source] = nil
    host.waiting.remove(at: at)
    if let at = host.held.firstIndex(where: { $0 === connection }) {
      host.held.remove(at: at)
      if host.held.isEmpty { turns.removeAll { $0 == source } }
    }
    if !host.waiting.isEmpty { hosts[source] = host }
    count -= 1
  }

  /// Something came that is to be heard when it is the host's turn.
  mutating func hold(_ connection: Connection) {
    guard let host = hosts[connection.source], host.waiting.contains(where: { $0 === connection }),
      !host.held.contains(where: { $0 === connection })
    else { return }
    if host.held.isEmpty { turns.append(connection.source) }
    hosts[connection.source]?.held.append(connection)
  }

  /// Takes the connection that is to be heard next.
  mutating func nextHeld() -> Connection? {
    while !turns.isEmpty {
      let source = turns.removeFirst()
      guard let host = hosts[source], let connection = host.held.first else { continue }
      hosts[source]?.held.removeFirst()
      if host.held.count > 1 { turns.append(source) }
      return connection
    }
    return nil
  }

  /// The oldest one of the host that has most. Where several have as many, one that has said nothing goes first.
  var crowded: Connection? {
    var most = 0
    var found: Connection?
    // tidy: order does not matter because the oldest of all is found, and no two are as old
    for host in hosts.values where host.waiting.count >= most {
      if host.waiting.count > most { found = nil }
      most = host.waiting.count
      let oldest = host.waiting.first { !$0.link.hasSpoken } ?? host.waiting[0]
      guard let other = found else {
        found = oldest
        continue
      }
      let isQuieter = !oldest.link.hasSpoken && other.link.hasSpoken
      let isAlike = oldest.link.hasSpoken == other.link.hasSpoken
      if isQuieter || (isAlike && oldest.number < other.number) { found = oldest }
    }
    return found
  }
}
