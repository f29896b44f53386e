public import Events

/// Why a log does not take or give something.
public enum LogError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Bytes are not an event.
  case format(FormatError)
  /// The event belongs to another room.
  case wrongRoom(EventID)
  /// The chain does not link: the previous event is another one or is not here.
  case brokenChain(EventID, sequence: UInt64)
  /// The event names what its author may not name, or is more than its author may write (Docs/PROTOCOL.md §3.2).
  case misnamed(EventID)
  /// The signature of a run's last event does not verify, so nothing of the run counts.
  case badSignature(EventID)
  /// An event's previous or a parent is not here.
  case missing(EventID)
  /// The run contradicts what is here, and not both branches are signed: nobody is accused.
  case unprovenFork(EventID)
  /// A feed would end in this event, which no signature covers.
  case unsigned(EventID)
  /// The store has another number of the room's events than the change was made for.
  case stale(RoomID, base: Int, stored: Int)
  /// A limit of the format or a quota was reached.
  case limit(String)
  /// What waits for others is as much as may wait: nobody is at fault.
  case crowded(String)
  /// It belongs to a feed that is known to be forked, and nothing needs it.
  case notNeeded(EventID)
  /// The stored log does not agree with itself at this event.
  case corrupt(event: EventID?, reason: String)
  /// No room has this id or prefix.
  case unknownRoom(String)
  /// Several rooms begin with this prefix.
  case ambiguousRoom(String, count: Int)
  /// There is no store at this path yet.
  case noStore(String)
  /// The store holds the events of another network.
  case otherNetwork(stored: NetworkID, wanted: NetworkID)
  /// A write could not be made durable, so this process must stop; its own words.
  case stopped(String)
  /// The store refused; its own words.
  case store(String)
  /// Another process writes this store; its own words say who.
  case locked(String)
  /// Another command is at that, or the process that writes has ended: it can be done later; its own words.
  case busy(String)
  /// The operating system refuses this user access to the store; its own words.
  case noPermission(String)
  /// There is no room left in the store, by quota or on the disk.
  case full(String)

  /// What happened and what to do.
  public var description: String {
    switch self {
    case .format(let error): "not an event of this protocol: \(error)"
    case .wrongRoom(let id): "event \(id.short) belongs to another room"
    case .brokenChain(let id, let sequence):
      "event \(id.short) (number \(sequence) of its feed) does not follow the one before it"
    case .misnamed(let id):
      "event \(id.short) names what its author may not name, or is one too many of its author"
    case .badSignature(let id): "the signature over event \(id.short) is not its author's"
    case .missing(let id): "event \(id.short) is named but not here"
    case .unprovenFork(let id):
      "event \(id.short) contradicts its feed, and only one side is signed: it is refused and accuses nobody"
    case .limit(let what): "over a limit: \(what)"
    case .crowded(let what): "there is no more room: \(what)"
    case .notNeeded(let id): "event \(id.short) is of a feed that is known to be forked, and nothing needs it"
    case .corrupt(let event, let reason):
      "the log is damaged\(event.map { " at event \($0.short)" } ?? ""): \(reason);"
        + " `parlor log verify` says which rooms hold"
    case .unknownRoom(let prefix): "no room begins with “\(prefix)”; `parlor log list --all` shows all"
    case .ambiguousRoom(let prefix, let count):
      "\(count) rooms begin with “\(prefix)”: give more of the id"
    case .unsigned(let id): "event \(id.short) would end its feed without a signature"
    case .stale(let room, let base, let stored):
      "room \(room.short) has \(stored) stored events, not \(base): somebody else wrote; load it again"
    case .noStore(let path): "there is no store at \(path) yet; the first game or tournament creates it"
    case .otherNetwork(let stored, let wanted):
      "the store belongs to network \(stored.short), not \(wanted.short): name its network, or use another data folder"
    case .stopped(let words): "\(words) Start this program again."
    case .store(let words), .locked(let words), .busy(let words), .noPermission(let words), .full(let words):
      words
    }
  }
}
