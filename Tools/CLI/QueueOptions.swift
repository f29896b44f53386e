import Terminal

/// How commands are told of a queue of NATS.
enum QueueOptions {
  static let definitions: [OptionDefinition] = [queue(isRequired: false)] + NATSOptions.queue.secrets

  static func queue(isRequired: Bool) -> OptionDefinition {
    NATSOptions.queue.servers(
      "The servers of a NATS queue, of which three or more keep everything three times",
      isRequired: isRequired)
  }
}
