/// Bots that are named together, such as the entries of a tournament that was held.
///
/// Where a command takes several bots, the collection's name stands for all of them, in this order.
public struct BotCollection: Sendable {
  /// The name on the command line.
  public let name: String
  /// The collection in one line.
  public let summary: String
  /// The game that all of its bots play.
  public let game: String
  /// The specifications of its bots, the best seed first.
  public let members: [String]

  /// A collection of these bots.
  public init(name: String, summary: String, game: String, members: [String]) {
    self.name = name
    self.summary = summary
    self.game = game
    self.members = members
  }
}
