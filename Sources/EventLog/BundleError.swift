public import Events

/// Why a bundle is refused; nothing of it was taken.
public enum BundleError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong with an event that can be read.
  public enum Reason: String, Hashable, Sendable {
    case wrongRoom = "it belongs to another room"
    case noCreate = "the first event must be the room's create"
    case doubled = "it is here twice"
    case missingPrevious = "its author's event before it is missing"
    case missingParent = "an event that it names is missing"
    case brokenChain = "it does not follow the event before it"
    case misnamed = "it names what its author may not name, or is one too many of its author"
    case wrongOrder = "events are not in their one order"
    case badSignature = "its signature is not its author's"
    case doubledSignature = "it has two signatures"
    case unsigned = "no signature covers it"
    case longRun = "its run is longer than one signature may cover"
  }

  /// The bytes do not begin as a bundle does.
  case notABundle
  /// It is a bundle of another version of the protocol.
  case otherVersion(UInt8)
  /// The bundle belongs to another network.
  case otherNetwork(NetworkID)
  /// The bytes end at this offset, too early.
  case truncated(at: UInt64)
  /// Bytes follow the end, from this offset.
  case trailing(at: UInt64)
  /// More than a limit allows.
  case limit(String)
  /// The list of heads is out of order, doubled or empty.
  case badHeads
  /// At this offset stands neither an event nor a signature in its place.
  case badRecord(at: UInt64)
  /// The event with this number, from 1, is not one of this protocol.
  case badEvent(FormatError, number: UInt64)
  /// An event that can be read must not be here.
  case event(EventID, Reason)
  /// The feeds end in other events than the heads say.
  case wrongHeads
  /// There are fewer signatures than the header says.
  case wrongSignatureCount
  /// The digest at the end is not that of the bytes before it.
  case wrongDigest
  /// The room's log does not take the events.
  case log(LogError)
  /// The bytes could not be read or written; the system's words.
  case inputOutput(String)

  /// The bad event, where there is one.
  public var event: EventID? { if case .event(let id, _) = self { id } else { nil } }

  /// What is wrong, and where.
  public var description: String {
    switch self {
    case .notABundle: "this is not a Parlor bundle"
    case .otherVersion(let version):
      "the bundle is of version \(version) of the protocol; this program reads version 2"
    case .otherNetwork(let network): "the bundle belongs to network \(network.short)"
    case .truncated(let offset): "the bundle ends too early, at byte \(offset)"
    case .trailing(let offset): "there are bytes after the bundle's end at byte \(offset)"
    case .limit(let what): "the bundle is over a limit: \(what)"
    case .badHeads: "the bundle's list of heads is not in order"
    case .badRecord(let offset): "there is no event or signature in its place at byte \(offset)"
    case .badEvent(let error, let number): "event number \(number) of the bundle: \(error)"
    case .event(let id, let reason): "event \(id.short): \(reason.rawValue)"
    case .wrongHeads: "the feeds do not end where the bundle's heads say"
    case .wrongSignatureCount: "there are not as many signatures as the bundle says"
    case .wrongDigest: "the bundle's bytes were changed: its digest is another"
    case .log(let error): error.description
    case .inputOutput(let words): words
    }
  }
}
