import Terminal

/// One move of a socket until the other player's socket is told of it.
struct SocketMove: Figure {
  let name = "socket.move"
  let summary = "milliseconds from a client's move until the other client's table shows it, the median"

  func measure(_ bench: Bench) async throws {
    let moves = bench.size(500, quick: 40)
    bench.tell("\(name): \(moves) moves of two clients of the real program's sockets")
    let folder = try bench.folder.make("socket-move")
    defer { BenchFolder.remove(folder) }
    let game = try SocketGame(in: folder)
    var taken: [Double] = []
    for _ in 0..<moves { taken.append(try game.move { mover in game.players.filter { $0 != mover } } * 1e3) }
    try game.end()
    taken.sort()
    var line = FigureLine(name, value: taken.median, unit: "ms, the median", floor: nil, ratio: nil)
    line.add("p99", .decimal(taken[moves * 99 / 100]))
    line.add("slowest", .decimal(taken[moves - 1]))
    line.add("moves", .integer(moves))
    line.add("file_system", .text(bench.folder.fileSystem))
    try bench.print(line)
  }
}

/// Many sockets that watch one game.
struct SocketWatchers: Figure {
  let name = "socket.watchers"
  let summary =
    "milliseconds from a move until 1,000 sockets are told of it, of a hundred moves the slowest; memory of each"

  func measure(_ bench: Bench) async throws {
    let (count, moves) = (bench.size(1_000, quick: 100), bench.size(200, quick: 20))
    bench.tell("\(name): \(count) sockets that watch \(moves) moves of a game of the real program")
    let folder = try bench.folder.make("socket-watchers")
    defer { BenchFolder.remove(folder) }
    let game = try SocketGame(in: folder)
    let before = try game.memory()
    try game.watch(count)
    let after = try game.memory()
    var taken: [Double] = []
    for _ in 0..<moves { taken.append(try game.move { _ in game.watchers + game.players } * 1e3) }
    try game.end()
    taken.sort()
    var line = FigureLine(
      name, value: taken[moves * 99 / 100], unit: "ms, of a hundred moves the slowest", floor: nil, ratio: nil
    )
    line.add("median", .decimal(taken.median))
    line.add("slowest", .decimal(taken[moves - 1]))
    line.add("within_250_ms", .integer(taken.count { $0 <= 250 }))
    line.add("moves", .integer(moves))
    line.add("sockets", .integer(count))
    line.add("kb_a_socket", before > 0 ? .decimal((after - before) / Double(count)) : .absent)
    line.add("kb_before", .integer(Int(before)))
    line.add("kb_after", .integer(Int(after)))
    line.add("file_system", .text(bench.folder.fileSystem))
    try bench.print(line)
  }
}
