import Events
import Projection
import Rules
import SearchBots
import Terminal

/// A replay that somebody at a terminal steps through by keyboard, forwards and backwards.
struct ReplaySteps {
  private let room: Room
  private let games: [GameRecord]
  /// What the moves of each were worth, where somebody asked.
  private let reviews: [GameReview?]
  private let seal: [[Int32]]?
  private let console: Console
  private let isVerbose: Bool
  /// Which of the games, and how many of its moves are made.
  private var (game, ply) = (0, 0)
  /// The positions of that game.
  private var frames: [ReplayFrame]

  /// At the start of the first game; `nil` where there is no position to show.
  /// - Parameters:
  ///   - reviews: what the moves of each game were worth, where somebody asked.
  ///   - seal: the scores of each game that a tournament's organizer wrote down.
  ///   - isVerbose: whether moves come with the numbers of the search.
  init?(
    _ room: Room, _ games: [GameRecord], _ reviews: [GameReview?], seal: [[Int32]]?, isVerbose: Bool,
    _ console: Console
  ) throws(Failure) {
    guard let first = games.first else { return nil }
    self.room = room
    self.games = games
    self.reviews = reviews
    self.seal = seal
    self.console = console
    self.isVerbose = isVerbose
    frames = try ReplayFrame.all(of: first, in: room, isVerbose: isVerbose, review: reviews[0])
    guard !frames.isEmpty else { return nil }
  }

  /// Shows positions until the person has seen enough, and leaves the last one.
  consuming func run(_ interrupts: Interrupts) throws -> ExitStatus {
    var steps = self
    var content = TableScreen(drawing: steps.console.output.drawing)
    content.takesLines = false
    let screen = FullScreen(steps.console, content)
    let isInterrupted = try screen.reading(interrupts, discardsInput: true) { keys in
      try steps.follow(&keys, screen)
    }
    let (frame, channel) = (steps.frames[steps.ply], steps.console.output)
    let words = [channel.drawing.paint(frame.words(channel.drawing), .bold)] + frame.board(on: channel)
    try steps.console.lines([""] + words + (steps.ending.map { ["", $0] } ?? []))
    return isInterrupted ? .interrupted : .ok
  }

  /// - Returns: whether somebody asked to stop, rather than typed that it is enough.
  private mutating func follow(_ keys: inout KeyReader, _ screen: FullScreen) throws -> Bool {
    while true {
      screen.update { fill(&$0) }
      switch try screen.next(&keys) {
      case .key(let key): if try !take(key) { return false }
      case .resized, .returned: break
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
    frames = try ReplayFrame.all(of: games[next], in: room, isVerbose: isVerbose, review: reviews[next])
    (game, ply) = (next, 0)
    return true
  }

  // MARK: - Drawing

  /// How the game ended, at its last position.
  private var ending: String? {
    guard ply == frames.count - 1 else { return nil }
    return console.output.drawing.paint(frames[ply].endingWords(seal: seal), .bold)
  }

  /// Puts the position on the screen, with the moves that led to it as news.
  private func fill(_ screen: inout TableScreen) {
    let frame = frames[ply]
    screen.title = "\(room.title), room \(room.state.room.short)"
    screen.players = room.state.seats.indices.map { index in
      let seat = Seat(UInt16(clamping: index))
      return room.mark(of: seat, in: frame.view.diagram, console.output.drawing) + room.name(of: seat)
    }
    screen.diagram = frame.diagram
    screen.pieces = room.pieces(in: frame.view.diagram)
    screen.names = room.state.names
    screen.replaceNews(
      with: frames[...ply].map { $0.words(console.output.drawing) } + (ending.map { [$0] } ?? [])
        + (frame.worths.map { [$0] } ?? []))
    screen.status = place(console.output.drawing)
    screen.question = keys(console.output.drawing)
  }

  /// Where this is, and the keys that are needed most.
  private func place(_ drawing: Drawing) -> String {
    "\(ply)/\(frames.count - 1): \(drawing.hasUnicode ? "← →" : "left right") step, q ends"
  }

  /// What else can be pressed.
  private func keys(_ drawing: Drawing) -> String {
    let others = games.count > 1 ? "\(drawing.hasUnicode ? "↑ ↓" : "up down") game, " : ""
    return "\(others)Home End first and last"
  }
}
