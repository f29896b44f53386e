import Foundation
import Pictures
import Rules
import Testing

@Suite struct GamePictureTests {
  private func frame(_ number: Int, pieces: [String] = ["🔴", "X"]) -> GamePicture.Frame {
    let (one, two) = (Seat(0), Seat(1))
    return GamePicture.Frame(
      caption: "Move \(number)",
      diagram: Diagram(
        board: [[.piece(one), .marked(two), .empty], [.playable("4"), .marked(one), .piece(two)]],
        columnLabels: ["a", "b", "c"], rowLabels: ["2", "1"], lines: ["To play: \(one)"]), pieces: pieces)
  }

  private func picture(_ frames: [GamePicture.Frame], names: [String] = ["Ada", "Bob"]) -> GamePicture {
    GamePicture(title: "A game", names: names, frames: frames)
  }

  @Test func onePositionStandsStill() throws {
    let picture = try SVGReader(picture([frame(7)]).svg(milliseconds: 1_000))
    #expect(picture.count("rect", "class", "cell") == 6 && picture.count("rect", "class", "cell last") == 2)
    #expect(picture.count("circle", "class", "disc") == 2)
    #expect(picture.texts == ["A game", "2", "1", "a", "b", "c", "X", "X", "Move 7", "To play: Ada"])
    #expect(!picture.elements.contains { ["set", "animate"].contains($0.name) })
  }

  @Test func positionsComeOneAfterTheOther() throws {
    let picture = try SVGReader(picture((0..<3).map { frame($0) }).svg(milliseconds: 500))
    // Two turns of half a second, and the rest.
    #expect(picture.count("animate", "dur", "5000ms") == 1)
    #expect(
      picture.elements.filter { $0.name == "set" }.map { $0.attributes["begin"] } == [
        "turn.begin+0ms", "turn.begin+500ms", "turn.begin",
      ])
    // What cannot move shows the last one.
    #expect(
      picture.elements.filter { $0.name == "g" }.map { $0.attributes["display"] } == ["none", "none", nil])
  }

  @Test func whatOthersWroteIsText() throws {
    let hostile = "</text><script>alert(\"1\")</script>&\u{1B}[2J\u{0}\u{202E}\u{FFFF}"
    var frames = [frame(1, pieces: [hostile, "&"])]
    frames[0].caption = hostile
    let picture = try SVGReader(
      GamePicture(title: hostile, names: [hostile, hostile], frames: frames).svg(milliseconds: 1_000))
    #expect(!picture.elements.contains { $0.name == "script" })
    #expect(picture.texts.contains { $0.hasPrefix("</text><script>alert(\"1\")</script>&") })
    let lines = GamePicture(title: hostile, names: [hostile], frames: frames).cast(milliseconds: 1_000)
    #expect(!lines.joined().unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E })
  }

  @Test func aBoardlessGameIsText() throws {
    let frame = GamePicture.Frame(caption: "Round 1", diagram: Diagram(lines: ["Scores 3:0"]), pieces: [])
    let picture = try SVGReader(picture([frame]).svg(milliseconds: 1_000))
    #expect(picture.texts == ["A game", "Round 1", "Scores 3:0"])
  }

  @Test func aRecordingHasALineForEachPosition() throws {
    let lines = picture((0..<3).map { frame($0) }).cast(milliseconds: 250)
    let values = try lines.map { try JSONSerialization.jsonObject(with: Data($0.utf8)) }
    let head = try #require(values[0] as? [String: Any])
    #expect(head["version"] as? Int == 2 && head["width"] as? Int == 80 && head["height"] as? Int == 24)
    let events = try values.dropFirst().map { try #require($0 as? [Any]) }
    #expect(events.compactMap { $0[0] as? Double } == [0, 0.25, 0.5])
    #expect(events.allSatisfy { $0.count == 3 && $0[1] as? String == "o" })
    let text = try #require(events[2][2] as? String)
    #expect(text.hasPrefix("\u{1B}[H\u{1B}[2J") && text.contains("Move 2\r\n"))
  }
}
