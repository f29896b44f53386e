import Events
import Projection

/// One event that can be written in a scene, by somebody who has seen the scene and nothing more.
struct Piece {
  /// Its kind as the table of pairs calls it.
  let label: String
  let author: TestPeer
  let seat: Int
  let write: (inout RoomScript) throws -> Event

  init(
    _ label: String, _ author: TestPeer, write: @escaping (inout RoomScript) throws -> Event
  ) {
    self.label = label
    self.author = author
    seat = author == .alice ? 0 : author == .bob ? 1 : 255
    self.write = write
  }
}

/// A room at some moment, and every event that can be written in it.
struct Scene: CustomStringConvertible {
  let description: String
  let script: RoomScript
  let pieces: [Piece]

  /// What one piece amounts to beside another, for each order of arrival.
  struct Outcome {
    let first: Verdict?
    let second: Verdict?
    var state: RoomState
    let digests: [Digest]
  }

  /// The verdict on a piece when nothing is concurrent with it.
  func alone(_ piece: Piece) throws -> Verdict? {
    var script = self.script
    let event = try piece.write(&script)
    return script.verdict(event)
  }

  /// Both pieces, each written without knowing of the other, applied in both orders.
  func both(_ a: Piece, _ b: Piece) throws -> Outcome {
    let base = script.events
    var script = self.script
    let first = try a.write(&script)
    let ofFirst = Array(script.events[base.count...])
    script.rewind(to: base.count)
    let second = try b.write(&script)
    let ofSecond = Array(script.events[base.count...])
    var forward = script.projection(base + ofFirst + ofSecond)
    var backward = script.projection(base + ofSecond + ofFirst)
    // Reading in between must not matter either.
    var reading = script.projection(base)
    for event in ofSecond + ofFirst + ofSecond {
      _ = reading.state
      reading.apply(event)
    }
    let verdicts = forward.verdicts()
    return Outcome(
      first: verdicts.first { $0.event == first.id }?.verdict,
      second: verdicts.first { $0.event == second.id }?.verdict,
      state: forward.state, digests: [forward.digest(), backward.digest(), reading.digest()])
  }
}
