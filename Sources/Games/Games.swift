public import Rules

/// The games that Parlor ships; a new game is registered here and nowhere else.
public enum Games {
  /// Every game, in the order of lists.
  public static let catalog = GameCatalog(
    [
      GameDefinition(TicTacToe.self),
      GameDefinition(UltimateTicTacToe.self),
      GameDefinition(ConnectFour.self),
      GameDefinition(KInARow.self),
      GameDefinition(Gomoku.self),
      GameDefinition(Othello.self),
      GameDefinition(PrisonersDilemma.self),
      GameDefinition(MemoryMatch.self),
    ],
    hosted: [
      HostedDefinition(Quiz.self),
      HostedDefinition(TapRace.self),
      HostedDefinition(DrawingGame.self),
    ])
}
