import Events
import Platform
import Queue
import Terminal

/// How commands are told of a queue of NATS.
enum QueueOptions {
  static let definitions: [OptionDefinition] = [queue(isRequired: false)] + secrets

  static func queue(isRequired: Bool) -> OptionDefinition {
    .value(
      "queue", "SERVERS",
      "The servers of a NATS queue, nats://HOST[:PORT] or tls://HOST[:PORT] with commas between; USER:PASSWORD@ may"
        + " stand before HOST. Three or more keep everything three times.",
      isRequired: isRequired)
  }

  static let secrets: [OptionDefinition] = [
    .value("queue-credentials", "FILE", "A file of NATS credentials for the queue.", kind: .file),
    .value(
      "queue-tls-ca", "FILE", "Certificates that are trusted for tls:// servers of the queue.", kind: .file),
    .value("queue-tls-cert", "FILE", "This client's certificate for the queue.", kind: .file),
    .value("queue-tls-key", "FILE", "The key of that certificate.", kind: .file),
  ]

  /// The queue that the command line names; `nil` for none.
  static func settings(_ parsed: ParsedCommand) throws -> QueueSettings? {
    let files = ["queue-credentials", "queue-tls-ca", "queue-tls-cert", "queue-tls-key"]
    guard let servers = parsed.text("queue") else {
      if let file = files.first(where: { parsed.text($0) != nil }) {
        throw parsed.badValue(file, "it is for --queue, which is not given")
      }
      return nil
    }
    var settings: QueueSettings
    do throws(QueueError) { settings = try QueueSettings(servers: servers) } catch {
      throw parsed.badValue("queue", error.description)
    }
    settings.credentials = parsed.text(files[0])
    settings.authority = parsed.text(files[1])
    settings.certificate = parsed.text(files[2])
    settings.key = parsed.text(files[3])
    guard (settings.certificate == nil) == (settings.key == nil) else {
      throw parsed.badValue(
        settings.key == nil ? files[2] : files[3], "a certificate and its key go together")
    }
    return settings
  }
}

extension QueueError {
  /// The status to end with.
  var exitStatus: ExitStatus {
    switch self {
    case .badServer: .usage
    case .badFile: .noInput
    default: .unavailable
    }
  }
}
