import Games
import Testing

@Suite struct TicTacToeEmojiTests {
  private let all = EmojiTeam.all.flatMap(\.emoji)

  @Test func teamsAreTheFive() {
    #expect(EmojiTeam.all.map(\.name) == ["Cats", "Dogs", "Ocean", "Space", "Fruits"])
    #expect(EmojiTeam.all.allSatisfy { $0.emoji.count == 5 && $0.piece == $0.emoji[0] })
    #expect(EmojiTeam.all.map(\.piece) == ["🐱", "🐶", "🐳", "🚀", "🍎"])
    #expect(Set(all).count == 25)
  }

  /// One scalar that is drawn as emoji by itself is two columns wide in every terminal.
  @Test func everyEmojiIsOneWideScalar() {
    for emoji in all {
      let scalars = Array(emoji.unicodeScalars)
      #expect(scalars.count == 1, "\(emoji)")
      #expect(scalars[0].properties.isEmojiPresentation && !scalars[0].properties.isEmojiModifier, "\(emoji)")
      #expect(!(0x1F1E6...0x1F1FF).contains(scalars[0].value), "\(emoji) is half a flag")
      #expect((scalars[0].properties.age?.major ?? 99) <= 9, "\(emoji) is too young for older terminals")
    }
  }

  @Test func onlyTeamEmojiAreAllowed() {
    #expect(all.allSatisfy { EmojiTeam.isAllowed($0) })
    for text in [
      "", " ", "X", "cats", "🐱\u{FE0F}", "🐱🐱", "🐱 ", "🇩🇪", "👩‍👩‍👧", "👍🏽", "❤️", "\u{1B}[2J", "é",
      String(repeating: "🐱", count: 1000), "e" + String(repeating: "\u{301}", count: 1000),
    ] {
      #expect(!EmojiTeam.isAllowed(text), "\(text.prefix(10).debugDescription)")
    }
  }

  @Test func wishesAreEmojiOrTeams() {
    #expect(EmojiTeam.emoji(wish: "🐈") == "🐈")
    #expect(EmojiTeam.emoji(wish: "Cats") == "🐱")
    #expect(EmojiTeam.emoji(wish: "fruits") == "🍎")
    #expect(EmojiTeam.emoji(wish: "lions") == nil)
    #expect(EmojiTeam.emoji(wish: "") == nil)
    #expect(EmojiTeam.emoji(wish: String(repeating: "cats", count: 10_000)) == nil)
  }

  @Test func wishesAreGrantedWhenTheyDiffer() {
    #expect(EmojiTeam.pieces(wanted: ["🍓", "🐙"]) == ["🍓", "🐙"])
    #expect(EmojiTeam.pieces(wanted: ["🐱", "😺"]) == ["🐱", "😺"])
    #expect(EmojiTeam.pieces(wanted: ["ocean", "SPACE"]) == ["🐳", "🚀"])
  }

  /// All 25 wishes of a host that the joiner wishes as well: the next team's piece, in a circle.
  @Test func joinerGetsTheNextTeamsPiece() {
    for (number, team) in EmojiTeam.all.enumerated() {
      let next = EmojiTeam.all[(number + 1) % 5]
      for emoji in team.emoji {
        #expect(EmojiTeam.pieces(wanted: [emoji, emoji]) == [emoji, next.piece])
      }
    }
  }

  @Test func seatsWithoutAWishGetWhatIsLeft() {
    #expect(EmojiTeam.pieces(wanted: []) == [])
    #expect(EmojiTeam.pieces(wanted: ["", ""]) == ["🐱", "🐶"])
    #expect(EmojiTeam.pieces(wanted: ["nonsense", "🐱"]) == ["🐶", "🐱"])
    #expect(EmojiTeam.pieces(wanted: ["🐱", "\u{1B}[2J"]) == ["🐱", "🐶"])
    #expect(EmojiTeam.pieces(wanted: ["🐶", ""]) == ["🐶", "🐱"])
  }

  /// Every pair of wishes, and tables of many seats, give different allowed pieces.
  @Test func piecesDiffer() {
    for first in all + [""] {
      for second in all + [""] {
        let pieces = EmojiTeam.pieces(wanted: [first, second])
        #expect(pieces[0] != pieces[1] && pieces.allSatisfy { EmojiTeam.isAllowed($0) })
      }
    }
    for seats in 0...25 {
      for wish in ["", "🐱", "🍊"] {
        let pieces = EmojiTeam.pieces(wanted: [String](repeating: wish, count: seats))
        #expect(Set(pieces).count == seats, "\(seats) seats that want \(wish)")
      }
    }
    #expect(EmojiTeam.pieces(wanted: [String](repeating: "🐱", count: 40)).count == 40)
  }
}
