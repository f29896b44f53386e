import EventLog
import Events
import Games
import Gossip
import Peer

/// Any bytes as a message from a neighbour: refused, or in the one form of what it says; and whatever it says, a
/// peer that holds a room goes on.
enum MessageTarget {
  private static let hasher = EventHasher(network: .standard)
  private static let neighbour = Neighbour(1)
  private static let start = Tick(milliseconds: 1_000)

  static func run(_ bytes: [UInt8]) {
    do throws(FormatError) {
      let message = try Message(decoding: bytes, hasher: hasher)
      Fuzz.promise(message.encoded() == bytes, "written again, the message is another")
    } catch {}
    hear(bytes, peer)
    var recovering = peer
    recovering.beginDoubt(at: start)
    hear(bytes, recovering)
  }

  /// A peer in a room of its own, with a neighbour that it compares with.
  private static let peer: PeerCore = {
    var peer = PeerCore(
      signer: SigningKey(seed: [UInt8](repeating: 1, count: 32)), network: .standard, catalog: Games.catalog,
      scheme: Ed25519(), now: { 0 })
    do throws(PeerError) {
      let create = Create(
        rules: "tic-tac-toe", rulesVersion: 1, parameters: [], seats: 2,
        nonce: [UInt8](repeating: 2, count: 16), profile: Profile(name: "host"))
      let room = try peer.create(create)
      for words in ["one", "two"] { _ = try peer.write(.chat(words), in: room) }
      if let change = try peer.prepareCommit(room) { peer.markDurable(change, at: start) }
    } catch { Fuzz.fail("no room to begin with: \(error)") }
    let other = SigningKey(seed: [UInt8](repeating: 3, count: 32)).peer
    peer.connect(neighbour, as: other, isNearby: true, at: start)
    return peer
  }()

  /// Hears the message twice, does what is due then, and takes what is to be sent.
  private static func hear(_ bytes: [UInt8], _ listener: PeerCore) {
    var listener = listener
    for step in 0..<4 {
      let now = start + UInt64(step) * 3_000
      if step < 2 { listener.receive(bytes, from: neighbour, at: now) }
      listener.advance(to: now)
      for room in listener.effects.takeChanged() {
        do throws(PeerError) {
          if let change = try listener.prepareCommit(room) { listener.markDurable(change, at: now) }
        } catch { Fuzz.fail("nothing was written that could not be signed: \(error)") }
      }
      for message in listener.takeOutbox(at: now) {
        Fuzz.promise(message.bytes.count <= Message.limitBytes, "a message of \(message.bytes.count) bytes")
        do throws(FormatError) { _ = try Message(decoding: message.bytes, hasher: hasher) } catch {
          Fuzz.fail("what is sent is not a message: \(error)")
        }
      }
    }
  }
}
