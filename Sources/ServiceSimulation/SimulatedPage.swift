import Network
import Web

/// The sockets of one life of a host's page, to which browsers come.
///
/// As everything of streams it is touched on the loop's thread alone.
final class SimulatedPage: Sendable {
  let sockets: WebSockets
  let network: SimulatedNetwork
  let settings: WebSettings
  // SAFETY: what follows is touched on the machine's thread alone.
  nonisolated(unsafe) private var wires: [SimulatedWire] = []
  // SAFETY: as the wires.
  nonisolated(unsafe) private var lastNumber = 0
  // SAFETY: as the wires. Whether its host has died.
  nonisolated(unsafe) private(set) var isDead = false

  init(_ sockets: WebSockets, _ network: SimulatedNetwork, _ settings: WebSettings) {
    (self.sockets, self.network, self.settings) = (sockets, network, settings)
  }

  /// How many sockets are open here.
  var openSockets: Int { unsafe wires.count }

  /// A number for a socket.
  func accept(_ wire: SimulatedWire) -> Int {
    unsafe wires.append(wire)
    unsafe lastNumber += 1
    return unsafe lastNumber
  }

  /// A socket is closed here.
  func forget(_ wire: SimulatedWire) { unsafe wires.removeAll { $0 === wire } }

  func take(_ event: WebSocket.Event) {
    if unsafe !isDead { sockets.take(event) }
  }

  /// Takes nothing more.
  func close() async { await sockets.close() }

  /// The host dies: nothing more is sent, and browsers find their sockets ended.
  func kill() {
    unsafe isDead = true
    for wire in unsafe wires { wire.die() }
    unsafe wires = []
  }
}
