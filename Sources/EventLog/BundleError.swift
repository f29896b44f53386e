package import Events

/// Why a bundle is refused; nothing of it was taken.
package enum BundleError: Error, Hashable, Sendable, CustomStringConvertible {
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
  /// The record with this number, from 1, is not in its one form, or its event is none of this protocol.
  case badEvent(FormatError, number: UInt64)
  /// An event that can be read must not be here.
  case event(EventID, EventFault)
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
  /// A tournament's file is of another version of its form.
  case otherForm(Int)
  /// A tournament's file ends at this offset, before all that its heading names has come.
  case fileEnds(at: UInt64)
  /// What a tournament's file says of its rooms is not so; how, in words.
  case badRooms(String)
  /// The bundle with this number, from 1, of a tournament's file is bad, which is to be that of this room.
  indirect case part(RoomID, number: Int, BundleError)

  /// What a check of its events found.
  init(_ fault: RoomVerifier.Fault) { self = .event(fault.event, fault.fault) }

  /// The bad event, where there is one.
  package var event: EventID? {
    switch self {
    case .event(let id, _): id
    case .part(_, _, let error): error.event
    default: nil
    }
  }

  /// Whether it is about what a file of ours says, and not that it is none or cannot be read.
  package var isOfContent: Bool {
    switch self {
    case .notABundle, .otherVersion, .otherForm, .otherNetwork, .inputOutput: false
    case .part(_, _, let error): error.isOfContent
    default: true
    }
  }

  /// What is wrong, and where.
  package var description: String {
    switch self {
    case .notABundle: "this is not a Parlor bundle"
    case .otherVersion(let version):
      "the bundle is of version \(version) of the protocol; this program reads version 2"
    case .otherNetwork(let network): "the bundle belongs to network \(network.short)"
    case .truncated(let offset): "the bundle ends too early, at byte \(offset)"
    case .trailing(let offset): "there are bytes after the bundle's end at byte \(offset)"
    case .limit(let what): "the bundle is over a limit: \(what)"
    case .badHeads: "the bundle's list of heads is not in order"
    case .badEvent(let error, let number): "event number \(number) of the bundle: \(error)"
    case .event(let id, let fault): "event \(id.short): \(fault.rawValue)"
    case .wrongHeads: "the feeds do not end where the bundle's heads say"
    case .wrongSignatureCount: "there are not as many signatures as the bundle says"
    case .wrongDigest: "the bundle's bytes were changed: its digest is another"
    case .log(let error): error.description
    case .inputOutput(let words): words
    case .otherForm(let version):
      "the tournament's file is of version \(version) of its form; this program reads version 1"
    case .fileEnds(let offset): "the file ends too early, at byte \(offset)"
    case .badRooms(let words): words
    case .part(let room, let number, let error): "room \(room.short), number \(number) of the file: \(error)"
    }
  }
}
