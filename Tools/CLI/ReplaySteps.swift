import Platform
import Projection
import Terminal

/// A replay that somebody at a terminal steps through by keyboard, forwards and backwards.
struct ReplaySteps {
  private let room: Room
  private let games: [GameRecord]
  private let seal: [[Int32]]?
  private let console: Console
  /// Which of the games, and how many of its moves are made.
  private var (game, ply) = (0, 0)
  /// The positions of that game.
  private var frames: [ReplayFrame]

  /// At the start of the first game; `nil` where there is no position to show.
  /// - Parameter seal: the scores of each game that a tournament's organizer wrote down.
  init?(_ room: Room, _ games: [GameRecord], seal: [[Int32]]?, _ console: Console) throws(Failure) {
    guard let first = games.first else { return nil }
    self.room = room
    self.games = games
    self.seal = seal
    self.console = console
    frames = try ReplayFrame.all(of: first, in: room)
    guard !frames.isEmpty else { return nil }
  }

  /// Shows positions until the person has seen enough.
  consuming func run(_ interrupts: Interrupts) throws -> ExitStatus {
    var steps = self
    let isInterrupted = try KeyReader.reading(.input, interrupts) { keys in try steps.follow(&keys) }
    try steps.draw(withKeys: false)
    try steps.console.leaveDrawing()
    return isInterrupted ? .interrupted : .ok
  }

  /// - Returns: whether somebody asked to stop, rather than typed that it is enough.
  private mutating func follow(_ keys: inout KeyReader) throws -> Bool {
    while true {
      try draw()
      switch try keys.next() {
      case .key(let key): if try !take(key) { return false }
      case .resized: break
      case .returned: console.forgetDrawing()
      case .end: return false
      case .interrupted: return true
      }
    }
  }

  /// - Returns: `false` when that was enough.
  private mutating func take(_ key: Key) throws(Failure) -> Bool {
    switch key {
    case .right, .enter, .character(" "), .character("n"): try step(forward: true)
    case .left, .backspace, .character("p"): try step(forward: false)
    case .up, .pageUp, .character("["): try go(to: game - 1)
    case .down, .pageDown, .character("]"): try go(to: game + 1)
    case .home, .character("g"): ply = 0
    case .end, .character("G"): ply = frames.count - 1
    case .character("q"), .control("c"), .control("d"): return false
    default: break
    }
    return true
  }

  /// Goes one position on or back, from a game's edge into the one beside it.
  private mutating func step(forward: Bool) throws(Failure) {
    let next = forward ? ply + 1 : ply - 1
    if frames.indices.contains(next) {
      ply = next
    } else if try go(to: forward ? game + 1 : game - 1), !forward {
      ply = frames.count - 1
    }
  }

  /// Goes to the start of another game, where there is one.
  @discardableResult private mutating func go(to next: Int) throws(Failure) -> Bool {
    guard games.indices.contains(next) else { return false }
    frames = try ReplayFrame.all(of: games[next], in: room)
    (game, ply) = (next, 0)
    return true
  }

  // MARK: - Drawing

  private mutating func draw(withKeys: Bool = true) throws {
    let channel = console.output
    func wrapped(_ text: String, _ style: Style) -> [String] {
      WrappedText.lines(text, columns: channel.columns).map { channel.drawing.paint($0, style) }
    }
    let frame = frames[ply]
    var lines = [""] + wrapped(frame.words, .bold) + frame.board(on: channel)
    if ply == frames.count - 1 { lines += [""] + wrapped(frame.endingWords(seal: seal), .bold) }
    if withKeys { lines += [""] + wrapped(keys(channel.drawing), .dim) }
    try console.draw(lines)
  }

  /// Where this is, and what can be pressed.
  private func keys(_ drawing: Drawing) -> String {
    let (sideways, upwards) = drawing.hasUnicode ? ("← →", "↑ ↓") : ("left right", "up down")
    let others = games.count > 1 ? "\(upwards) game, " : ""
    return "\(ply)/\(frames.count - 1): \(sideways) step, \(others)Home End first and last, q ends"
  }
}
