import Events
import Testing

@testable import Service
@testable import Web

@Suite struct GuestTests {
  private let owner = SigningKey(seed: [UInt8](repeating: 1, count: 32))
  private let other = SigningKey(seed: [UInt8](repeating: 2, count: 32))

  @Test func aSecretBringsItsGuestBack() throws {
    let guest = Guest.new(owner: owner, SigningKey.randomSeed())
    let secret = guest.secret(owner: owner)
    #expect(Guest(given: secret, owner: owner)?.peer == guest.peer)
    #expect(Guest(given: secret, owner: other) == nil)
    #expect(Guest.new(owner: owner, SigningKey.randomSeed()).peer != guest.peer)
    for index in secret.indices {
      var wrong = secret
      wrong.replaceSubrange(index...index, with: secret[index] == "0" ? "1" : "0")
      #expect(Guest(given: wrong, owner: owner) == nil)
    }
    for wrong in ["", guest.mark, String(secret.dropLast()), secret + "0", secret.uppercased() + "x"] {
      #expect(Guest(given: wrong, owner: owner) == nil)
    }
  }

  /// A process that starts again knows its guests by what others see of them.
  @Test func aNameBringsItsGuestBack() {
    let guest = Guest.new(owner: owner, SigningKey.randomSeed())
    let long = String(repeating: "😀", count: 20)
    for name in ["", "Ada", "Guest", "(x) (y)", long] {
      let shown = guest.profile(name: name, emoji: "").name
      #expect(shown.hasPrefix("Guest \(guest.mark)") && shown.utf8.count <= Profile.limitNameBytes)
      #expect(Guest(shown, guest.peer, owner: owner, .table)?.peer == guest.peer)
      #expect(Guest(shown, guest.peer, owner: other, .table) == nil)
      #expect(Guest(shown, owner.peer, owner: owner, .table) == nil)
      // Where its games are to be found, whatever name it has chosen.
      #expect(GuestName(shown)?.keeper == owner.peer.short && GuestName(shown)?.mark == guest.mark)
      // Those of the other sub-protocol are others.
      #expect(Guest(shown, guest.peer, owner: owner) == nil)
    }
    for name in [
      "Guest", "Guest 0123456789ab", "Guest @0123456789", "Ada@0123456789", "Guest 0123456789ab@01",
    ] {
      #expect(GuestName(name) == nil)
    }
    let player = Guest(secret: "0f6ad0c4-26a5-4d5c-9d0f-0d4b8f0a4c01", owner: owner)
    #expect(Guest(player.profile.name, player.peer, owner: owner)?.peer == player.peer)
    #expect(Guest(player.profile.name, player.peer, owner: owner, .table) == nil)
  }
}
