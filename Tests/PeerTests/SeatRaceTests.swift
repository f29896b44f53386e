import BotKit
import EventLog
import Events
import Games
import Gossip
import Peer
import Projection
import TestKit
import Testing

/// Everybody asks for the one free seat at one moment, before anybody has heard of anybody else.
@Suite struct SeatRaceTests {
  /// A host and guests who are connected with it alone; each connection carries messages in order, at its own pace.
  private struct Star {
    /// The host is the first.
    var peers: [PeerCore]
    let room: RoomID
    var random: RandomStream
    var now = Tick(milliseconds: 1)
    /// What is under way to each guest, and from each to the host.
    var down: [[[UInt8]]]
    var up: [[[UInt8]]]
    /// Guests with something under way, each once.
    var busy: [Int] = []

    init(guests: Int, seed: UInt64) throws {
      var peers = (0...guests).map { number in
        var bytes = [UInt8](repeating: 3, count: 32)
        (bytes[0], bytes[1]) = (UInt8(number & 0xFF), UInt8(number >> 8))
        return PeerCore(
          signer: SigningKey(seed: bytes), network: .standard, catalog: Games.catalog, scheme: Ed25519(),
          seed: seed &+ UInt64(number), now: { 0 })
      }
      room = try peers[0].create(
        Create(
          rules: "tic-tac-toe", rulesVersion: 1, parameters: [], seats: 2,
          nonce: [UInt8](repeating: 7, count: 16), profile: Profile(name: "host"), creatorSeat: 0))
      self.peers = peers
      random = RandomStream(seed: seed)
      down = Array(repeating: [], count: guests + 1)
      up = down
      commit(0)
      for guest in 1...guests {
        let (host, id) = (self.peers[0].id, self.peers[guest].id)
        self.peers[0].connect(Neighbour(UInt32(guest)), as: id, isNearby: true, at: now)
        self.peers[guest].connect(Neighbour(0), as: host, isNearby: true, at: now)
        collect(guest)
      }
      collect(0)
    }

    mutating func commit(_ peer: Int) {
      do throws(PeerError) {
        if let change = try peers[peer].prepareCommit(room) { peers[peer].markDurable(change, at: now) }
      } catch { Issue.record("\(error)") }
    }

    /// Does what a peer owes, makes it durable, and sends it on its way.
    mutating func tend(_ peer: Int) {
      do throws(PeerError) {
        let conduct = PeerCore.Conduct(
          profile: Profile(name: "peer"), wantedSeat: peer == 0 ? nil : Create.noSeat)
        while try peers[peer].doDuties(in: room, conduct) {}
      } catch { Issue.record("\(error)") }
      commit(peer)
      collect(peer)
    }

    mutating func collect(_ peer: Int) {
      for message in peers[peer].takeOutbox(at: now) {
        let guest = peer == 0 ? Int(message.to.number) : peer
        if down[guest].isEmpty && up[guest].isEmpty { busy.append(guest) }
        if peer == 0 { down[guest].append(message.bytes) } else { up[guest].append(message.bytes) }
      }
      #expect(peers[peer].effects.takeRefused().isEmpty)
    }

    /// Delivers one message of a connection drawn by chance, or lets time pass; `false` when nothing is left to happen.
    mutating func step(until end: Tick, _ tends: Bool) -> Bool {
      guard !busy.isEmpty else {
        guard let next = peers.compactMap(\.deadline).min(), next <= end else { return false }
        now = max(now, next)
        for peer in peers.indices {
          peers[peer].advance(to: now)
          collect(peer)
        }
        return true
      }
      let at = Int(random.below(UInt64(busy.count)))
      let guest = busy[at]
      let goesDown = up[guest].isEmpty || (!down[guest].isEmpty && random.below(2) == 0)
      let bytes = goesDown ? down[guest].removeFirst() : up[guest].removeFirst()
      if down[guest].isEmpty && up[guest].isEmpty { busy.remove(at: at) }
      let peer = goesDown ? guest : 0
      peers[peer].receive(bytes, from: Neighbour(goesDown ? 0 : UInt32(guest)), at: now)
      // As in the program, a guest who has more to read does that before it looks after its duties.
      let isReading = goesDown && !down[guest].isEmpty
      if isReading || peers[peer].effects.takeChanged().isEmpty || !tends {
        collect(peer)
      } else {
        tend(peer)
      }
      return true
    }

    mutating func settle(tends: Bool) {
      let end = now + 60_000
      while step(until: end, tends) {}
      now = max(now, end)
    }
  }

  @Test func oneSeatAndEverybodyAgrees() throws {
    let guests = Effort.size(30, quick: 12, variable: "PARLOR_RACE")
    var star = try Star(guests: guests, seed: 5)
    // All hear of the room before anybody asks.
    star.settle(tends: false)
    #expect(star.peers.allSatisfy { $0.log(of: star.room)?.entries.count == 1 })
    for guest in 1...guests { star.tend(guest) }
    star.settle(tends: true)
    let states = star.peers.indices.compactMap { star.peers[$0].state(of: star.room) }
    #expect(states.count == guests + 1)
    #expect(Set(star.peers.indices.map { star.peers[$0].digest(of: star.room) }).count == 1)
    let state = try #require(states.first)
    #expect(state.phase == .playing)
    let seated = state.seats.compactMap { $0?.peer }
    #expect(seated.count == 2 && seated[0] == star.peers[0].id)
    let winner = star.peers.indices.dropFirst().filter { star.peers[$0].id == seated[1] }
    #expect(winner.count == 1)
    // Everybody's request is there, and everybody but the winner knows that it was in vain.
    #expect(star.peers[0].log(of: star.room)?.feeds.count == guests + 1)
    for guest in 1...guests where guest != winner[0] {
      #expect(states[guest].seat(of: star.peers[guest].id) == nil)
      #expect(!states[guest].mayRequest(star.peers[guest].id))
    }
  }
}
