internal import Channel
internal import Events

// Peers tell each other where others are to be found, so that who knows one comes to know its neighbours.

extension PeerNode {
  /// The other end has opened: both say where they wait for connections, and whom else they know.
  func tellOfPeers(_ connection: Connection) {
    guard settings.tellsOfPeers else { return }
    if connection.role == .initiator { connection.listening = connection.stream.remote }
    let others = connections.reversed().filter { $0 !== connection }.compactMap(acquaintance)
    tell(others, connection)
    if connection.role == .initiator { tellOthers(of: connection) }
  }

  /// What came of that.
  func takeTold(by connection: Connection) {
    for bytes in connection.channel.takePeers() {
      let list: PeerList
      do throws(FormatError) { list = try PeerList(decoding: bytes) } catch {
        connection.channel.end(.refused)
        return
      }
      guard settings.tellsOfPeers else { continue }
      if connection.role == .responder, list.port != 0, connection.listening == nil {
        connection.listening = Address(host: connection.stream.remote.host, port: list.port)
        tellOthers(of: connection)
      }
      for other in list.others where other.address.means(theSameAt: connection.stream.remote) { meet(other) }
    }
  }

  /// Tells some of the neighbours of a new one.
  private func tellOthers(of connection: Connection) {
    guard let new = acquaintance(connection) else { return }
    let others = connections.filter { $0 !== connection && $0.peer != nil }
    for other in others.suffix(PeerList.limit) { tell([new], other) }
  }

  private func tell(_ others: [Acquaintance], _ connection: Connection) {
    let remote = connection.stream.remote
    let list = PeerList(
      port: listeners.first { $0.address.host != Address.inProcess }?.address.port ?? 0,
      others: others.filter { $0.address.means(theSameAt: remote) })
    // What it throws stands in the channel's state.
    do throws(ChannelError) { try connection.channel.sendPeers(list.encoded) } catch {}
  }

  private func acquaintance(_ connection: Connection) -> Acquaintance? {
    guard let peer = connection.peer, let address = connection.listening, address.numbers != nil else {
      return nil
    }
    return Acquaintance(peer: peer, address: address)
  }

  /// Connects to a peer that this one was told of, unless it is known already.
  func meet(_ other: Acquaintance) {
    guard other.peer != peer, !connections.contains(where: { $0.peer == other.peer }),
      !dials.contains(where: { $0.expected == other.peer || $0.address == other.address }),
      dials.count(where: \.isTold) < settings.limitTold
    else { return }
    dials.append(Dial(other.address, wanted: other.peer, isTold: true, at: now))
  }
}
