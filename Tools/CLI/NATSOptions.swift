import NATS
import Terminal

/// How commands are told of servers of NATS, for one purpose.
struct NATSOptions {
  /// The option that names the servers; those for secrets begin so.
  let name: String
  /// What they are, as people read it.
  let noun: String

  /// Of the servers of a queue.
  static let queue = NATSOptions(name: "queue", noun: "queue")
  /// Of the servers of a relay.
  static let relay = NATSOptions(name: "relay", noun: "relay")

  /// The option that names the servers.
  func servers(_ purpose: String, isRequired: Bool = false) -> OptionDefinition {
    .value(
      name, "SERVERS",
      "\(purpose), nats://HOST[:PORT] or tls://HOST[:PORT] with commas between; USER:PASSWORD@ may stand before HOST.",
      isRequired: isRequired)
  }

  var secrets: [OptionDefinition] {
    [
      .value(files[0], "FILE", "A file of NATS credentials for the \(noun).", kind: .file),
      .value(
        files[1], "FILE", "Certificates that are trusted for tls:// servers of the \(noun).", kind: .file),
      .value(files[2], "FILE", "This client's certificate for the \(noun).", kind: .file),
      .value(files[3], "FILE", "The key of that certificate.", kind: .file),
    ]
  }

  private var files: [String] { ["credentials", "tls-ca", "tls-cert", "tls-key"].map { "\(name)-\($0)" } }

  /// The servers that the command line names; `nil` for none, also where the command takes none.
  func settings(_ parsed: ParsedCommand) throws -> NATSSettings? {
    guard parsed.definition.options.contains(where: { $0.name == name }) else { return nil }
    guard let servers = parsed.text(name) else {
      if let file = files.first(where: { parsed.text($0) != nil }) {
        throw parsed.badValue(file, "it is for --\(name), which is not given")
      }
      return nil
    }
    var settings: NATSSettings
    do throws(NATSError) { settings = try NATSSettings(servers: servers) } catch {
      throw parsed.badValue(name, error.description)
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

extension NATSError {
  /// The status to end with.
  var exitStatus: ExitStatus {
    switch self {
    case .badServer: .usage
    case .badFile: .noInput
    default: .unavailable
    }
  }
}
