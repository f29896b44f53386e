internal import Channel
internal import Events

// Peers tell each other where others are to be found, so that who knows one comes to know its neighbours.

extension ConnectionTable {
  /// A neighbour is new: it hears where this end waits for connections, and whom else this one knows.
  /// - Parameter port: where this end waits; 0 for nowhere.
  func introduce(_ connection: Connection, port: UInt16) {
    guard settings.tellsOfPeers else { return }
    let isOutgoing = connection.link.role == .initiator
    if isOutgoing { connection.listening = connection.link.remote }
    tell(all.reversed().filter { $0 !== connection }.compactMap(\.acquaintance), connection, port)
    if isOutgoing { tellOthers(of: connection, port) }
  }

  /// Takes what a neighbour has said of that.
  /// - Returns: the peers that this one may connect to.
  func learn(from connection: Connection, port: UInt16) -> [Acquaintance] {
    let link = connection.link
    var others: [Acquaintance] = []
    for bytes in link.takePeers() {
      let list: PeerList
      do throws(FormatError) { list = try PeerList(decoding: bytes) } catch {
        link.end(.refused)
        break
      }
      guard settings.tellsOfPeers else { continue }
      if link.role == .responder, list.port != 0, connection.listening == nil {
        connection.listening = Address(host: link.remote.host, port: list.port)
        tellOthers(of: connection, port)
      }
      others += list.others.filter { $0.address.means(theSameAt: link.remote) }
    }
    return others
  }

  /// Tells some of the neighbours of a new one.
  private func tellOthers(of connection: Connection, _ port: UInt16) {
    guard let new = connection.acquaintance else { return }
    let others = all.filter { $0 !== connection && $0.peer != nil }
    for other in others.suffix(PeerList.limit) { tell([new], other, port) }
  }

  private func tell(_ others: [Acquaintance], _ connection: Connection, _ port: UInt16) {
    let list = PeerList(
      port: connection.link.remote.isRelayed ? 0 : port,
      others: others.filter { $0.address.means(theSameAt: connection.link.remote) })
    connection.link.sendPeers(list.encoded)
  }
}
