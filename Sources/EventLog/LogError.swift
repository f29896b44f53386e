public import Events

/// Why a log does not take or give something.
public enum LogError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Bytes are not an event.
  case format(FormatError)
  /// The event belongs to another room.
  case wrongRoom(EventID)
  /// The chain does not link: the previous event is another one or is not here.
  case brokenChain(EventID, sequence: UInt64)
  /// The signature of a run's last event does not verify, so nothing of the run counts.
  case badSignature(EventID)
  /// An event's previous or a parent is not here.
  case missing(EventID)
  /// The run contradicts what is here, and not both branches are signed: nobody is accused.
  case unprovenFork(EventID)
  /// A limit of the format or a quota was reached.
  case limit(String)
  /// The stored log does not agree with itself at this event.
  case corrupt(event: EventID?, reason: String)
  /// No room has this id or prefix.
  case unknownRoom(String)
  /// Several rooms begin with this prefix.
  case ambiguousRoom(String, count: Int)
  /// The store refused; its own words.
  case store(String)
  /// Another process writes this store; its own words say who.
  case locked(String)
  /// There is no room left in the store, by quota or on the disk.
  case full(String)

  /// What happened and what to do.
  public var description: String {
    switch self {
    case .format(let error): "not an event of this protocol: \(error)"
    case .wrongRoom(let id): "event \(id.short) belongs to another room"
    case .brokenChain(let id, let sequence):
      "event \(id.short) (number \(sequence) of its feed) does not follow the one before it"
    case .badSignature(let id): "the signature over event \(id.short) is not its author's"
    case .missing(let id): "event \(id.short) is named but not here"
    case .unprovenFork(let id):
      "event \(id.short) contradicts its feed, and only one side is signed: it is refused and accuses nobody"
    case .limit(let what): "over a limit: \(what)"
    case .corrupt(let event, let reason):
      "the log is damaged\(event.map { " at event \($0.short)" } ?? ""): \(reason)"
    case .unknownRoom(let prefix): "no room begins with “\(prefix)”; `parlor log list --all` shows all"
    case .ambiguousRoom(let prefix, let count):
      "\(count) rooms begin with “\(prefix)”: give more of the id"
    case .store(let words), .locked(let words), .full(let words): words
    }
  }
}
