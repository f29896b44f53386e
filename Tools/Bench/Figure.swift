import Terminal

/// Something that is measured.
protocol Figure: Sendable {
  /// Its name; dots lead from the general to the particular.
  var name: String { get }
  /// What it tells, in one line.
  var summary: String { get }
  /// Whether it takes so long that it runs only when `--only` gives its whole name.
  var isByNameOnly: Bool { get }
  /// Measures it and prints its line, or several.
  func measure(_ bench: Bench) async throws
}

extension Figure {
  var isByNameOnly: Bool { false }
}

/// What every figure is given.
struct Bench: Sendable {
  let options: BenchOptions
  let folder: BenchFolder
  let console: Console
  let made: MadeFolders

  /// Makes another folder for the stores of this run, in another one than that of the options.
  func folder(in parent: String) throws(BenchFailure) -> BenchFolder {
    let folder = try BenchFolder(in: parent)
    made.note(folder)
    return folder
  }

  /// The size for this run: a small one with `--quick`.
  func size(_ full: Int, quick: Int) -> Int { options.isQuick ? quick : full }

  /// Tells on standard error what is being done.
  func tell(_ words: String) { console.note(words) }

  /// Prints a figure's line.
  func print(_ line: FigureLine) throws(ConsoleError) { try console.line(line.text) }
}

/// The one list of figures.
enum Figures {
  static let all: [any Figure] =
    [
      AppendBatch(), AppendConcurrent(), ReplayFigure(isVerified: true), ReplayFigure(isVerified: false),
      MatchTicTacToe(), MatchLineBots(), MatchMemory(), StartList(shape: .large), StartList(shape: .small),
      SyncOneFeed(), SyncShortFeeds(signsEach: true), SyncShortFeeds(signsEach: false),
      MoveLatency(place: .tmpfs), MoveLatency(place: .disk), SyncNothingNew(), ConnectionsMemory(),
      ConnectionsFlood(words: .nothing), ConnectionsFlood(words: .greeting),
      QuizLatency(spread: .tens, place: .tmpfs), QuizLatency(spread: .one, place: .tmpfs),
      QuizLatency(spread: .tens, place: .disk), SocketMove(), SocketWatchers(),
      GossipClocks(), GossipMemory(), GossipScale(.thrifty), GossipScale(.quick), GossipScale(.large),
      BareTurns(),
      WaitingRooms(),
    ] + SwissRounds.all + Bombs.all + MatchLogged.all + RandomGamesFigures.all + SolveConnectFour.all
}
