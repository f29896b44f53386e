import Events
import NATS
import Network
import Platform
import Relay
import Terminal

/// How commands are told of a relay, and what they say of it.
enum RelayOptions {
  static let definitions: [OptionDefinition] =
    [
      NATSOptions.relay.servers(
        "Also meet peers whose networks do not reach this one, through servers of NATS, which carry public games; what"
          + " they carry they cannot read")
    ] + NATSOptions.relay.secrets

  /// What is said of a game that others at the relay cannot have.
  static func note(_ scope: Scope, _ parsed: ParsedCommand, _ console: Console) {
    guard parsed.text(NATSOptions.relay.name) != nil, scope == .local else { return }
    console.note("This game is local, so peers behind the relay do not see it; --scope public lets them.")
  }

  /// How often it is looked whether somebody asked to stop while a relay is connected to.
  private static let lookMilliseconds = 20

  /// Connects to a relay.
  /// - Throws: why it cannot be used, or an interruption at once when somebody asks to stop.
  static func open(
    _ settings: NATSSettings, _ network: NetworkID, _ loop: EventLoop, _ context: Context
  ) async throws -> RelayConnection {
    let (console, place) = (context.console, SafeText(settings.shown).text)
    let made = Guarded<Result<RelayConnection, NATSError>?>(nil)
    Task {
      let result: Result<RelayConnection, NATSError>
      do throws(NATSError) {
        result = .success(
          try await RelayConnection.open(settings, network, loop, random: SigningKey.randomSeed) { news in
            console.note(words(news, place))
          })
      } catch { result = .failure(error) }
      made.withLock { $0 = result }
    }
    while !context.interrupts.isStopRequested {
      if let result = made.withLock({ $0 }) { return try result.get() }
      try await Task.sleep(for: .milliseconds(lookMilliseconds))
    }
    throw Failure(.interrupted, nil)
  }

  private static func words(_ news: NATSConnectionNews, _ place: String) -> String {
    switch news {
    case .isAway: "The relay at \(place) does not answer. It is asked again until it does; all else goes on."
    case .isBack: "The relay answers again."
    case .isClosed: "The relay at \(place) refuses this peer, and is not asked again. All else goes on."
    }
  }
}
