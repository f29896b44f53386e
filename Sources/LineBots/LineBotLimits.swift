internal import Platform

/// What a line bot may have and how long it may take.
package struct LineBotLimits: Hashable, Sendable {
  /// From its start to its hello, in milliseconds.
  package var startMilliseconds = 10_000
  /// For one move, in milliseconds, where no clock of the game gives it less.
  package var moveMilliseconds = 10_000
  /// For the move of `bot check` that it has little time for, in milliseconds.
  package var hurryMilliseconds = 1_000
  /// From `quit` to its end, in milliseconds.
  package var quitMilliseconds = 1_000
  /// The longest line that it may write, in bytes.
  package var lineBytes = 65_536
  /// How much an engine may write before it gives an answer, in bytes.
  package var chatterBytes = 1 << 20
  /// How much is kept of what it last wrote to standard error, in bytes.
  package var errorBytes = 4_096
  /// Memory that each of its processes may write to, in bytes.
  package var memoryBytes: UInt64 = 4 << 30
  /// How many processes and threads it may start beside those that the machine has.
  package var processes: UInt64 = 512
  /// How often in a row it is started without an answer to `go` before it is not started any more.
  package var startsInVain = 3
  /// The folder that it runs in; that of this process when `nil`.
  package var folder: String?
  /// What its environment has beside this process's, as `NAME=VALUE`; the last of a name counts.
  package var variables: [String] = []

  package init() {}

  var ofProgram: ChildProgram.Limits { .init(dataBytes: memoryBytes, processes: processes) }
}
