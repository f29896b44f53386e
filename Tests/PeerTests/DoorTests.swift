import EventLog
import Events
import Games
import Gossip
import Peer
import Projection
import Rules
import Testing

/// Whom the host of rounds takes in, and how many wrong join codes it answers.
@Suite("The door of a room of hosted rounds") struct DoorTests {
  private struct Hosted {
    var core: PeerCore
    let room: RoomID
    let code: String

    init(strangers: Int) throws {
      let key = SigningKey(seed: [UInt8](repeating: 200, count: 32))
      core = PeerCore(signer: key, network: .standard, catalog: Games.catalog, scheme: Ed25519(), now: { 0 })
      for number in 1...strangers {
        _ = core.admit(SigningKey(seed: [UInt8](repeating: UInt8(number), count: 32)))
      }
      room = try NewHostedRoom(
        rules: Quiz.name, rulesVersion: Quiz.version, parameters: Quiz().parameters.encoded, title: "",
        rounds: 2, players: 16, entries: 1, needsCode: true, scope: .local, profile: Profile(name: "host")
      ).create(in: &core, nonce: [UInt8](repeating: 7, count: 16), by: 0)
      code = JoinCode.code(of: room, key)
    }

    /// Has a stranger ask, by its number from 1, whose connection comes from an address.
    mutating func ask(_ number: Int, _ code: String, from source: String?) throws {
      try core.perform(.join(code: code, Profile(name: "p")), in: room, by: number, at: 0)
      _ = try core.host(room, sources: source.map { [core.keys.ids[number]: $0] } ?? [:], at: 0)
    }

    mutating func refusals() throws -> Int {
      core.log(of: room)?.events.count { $0.kind == .joinRefusal } ?? 0
    }

    mutating func isIn(_ number: Int) throws -> Bool {
      let peer = core.keys.ids[number]
      return core.state(of: room)?.hosted?.player(peer) != nil
    }
  }

  @Test("Wrong codes are counted by key, and by the address where new keys come from without end")
  func wrongCodes() throws {
    var hosted = try Hosted(strangers: 40)
    let wrong = "AAAAAAAAAA"
    for number in 1...30 {
      for _ in 1...6 { try hosted.ask(number, wrong, from: "198.51.100.7") }
    }
    #expect(try hosted.refusals() == 128)
    try hosted.ask(31, hosted.code, from: "198.51.100.7")
    #expect(try !hosted.isIn(31), "its address has used up what there is")
    // Others are answered as before, from elsewhere and from an address that nobody knows.
    try hosted.ask(32, wrong, from: "198.51.100.8")
    #expect(try hosted.refusals() == 129)
    for (number, source) in [(32, "198.51.100.8"), (33, nil), (34, "2001:db8:0:0")] as [(Int, String?)] {
      try hosted.ask(number, hosted.code, from: source)
      #expect(try hosted.isIn(number))
    }
    for _ in 1...6 { try hosted.ask(35, wrong, from: nil) }
    #expect(try hosted.refusals() == 134)
    try hosted.ask(35, hosted.code, from: nil)
    #expect(try !hosted.isIn(35), "a key has five attempts")
  }

  @Test("Whom the host has blocked is not taken in, and not told why")
  func blocked() throws {
    var hosted = try Hosted(strangers: 2)
    hosted.core.block([hosted.core.keys.ids[1]], at: .start)
    for number in 1...2 { try hosted.ask(number, hosted.code, from: nil) }
    #expect(try !hosted.isIn(1) && hosted.isIn(2) && hosted.refusals() == 0)
    hosted.core.block([], at: .start)
    try hosted.ask(1, hosted.code, from: nil)
    #expect(try hosted.isIn(1))
  }
}
