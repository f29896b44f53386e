import Service
import Terminal

/// How far players are in a round in which entries add up, as bars; on a terminal drawn again in one place while the
/// round is open.
struct CountBars {
  /// Draws the bars of a round that is open in place of those before.
  /// - Parameter heading: a line above them.
  func draw(
    _ round: HostedView.Round, _ rounds: HostedView, heading: String?, on console: Console
  ) throws {
    // What is typed stands in the last line.
    try console.draw((heading.map { [$0] } ?? []) + Self.lines(round, rounds, console.output) + [""])
  }

  /// Takes the bars away, so that other lines can be written.
  func wipe(on console: Console) throws { try console.draw([]) }

  /// Leaves the bars where they are: others have written below.
  func forget(on console: Console) { console.forgetDrawing() }

  /// The bars as lines.
  static func lines(_ round: HostedView.Round, _ rounds: HostedView, _ channel: Channel) -> [String] {
    chart(round, rounds).lines(limitColumns: channel.limitColumns, drawing: channel.drawing)
  }

  /// All players who take part; while a round is open in the order of their numbers, then by place.
  /// - Parameter round: `nil` before the first.
  static func chart(_ round: HostedView.Round?, _ rounds: HostedView) -> BarChart {
    let isOver = round?.phase == .settled
    let tallies = round?.counts ?? []
    let counts = Dictionary(tallies.map { ($0.number, $0) }) { first, _ in first }
    let players = rounds.players.filter { !$0.hasLeft || counts[$0.number] != nil }.sorted { one, other in
      let places = [one, other].map { isOver ? counts[$0.number]?.place ?? .max : 0 }
      return (places[0], one.number) < (places[1], other.number)
    }
    return BarChart(
      unit: "TAPS",
      bars: players.map { player in
        .init(
          place: counts[player.number]?.place, name: RoundsView.name(player),
          count: counts[player.number]?.count ?? 0, isOwn: player.number == rounds.number)
      }, most: round?.goal ?? tallies.map(\.count).max() ?? 1)
  }
}

extension TableView {
  /// The table without what its bars show and what changes with time.
  var withoutCounts: TableView {
    var table = self
    guard var rounds = table.hosted, var round = rounds.recent.popLast() else { return table }
    (round.elapsed, round.passed, round.counts, round.entries) = (nil, 0, [], 0)
    (round.own, round.milliseconds) = (.none, nil)
    rounds.recent.append(round)
    for index in rounds.players.indices { rounds.players[index].hasEntered = false }
    table.hosted = rounds
    return table
  }
}
