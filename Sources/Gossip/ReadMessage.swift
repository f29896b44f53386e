package import Events

/// A message that was read: events were made of its bytes, and where nobody waited for that, signatures were checked.
/// Both need nothing of what is here, and are most of the work of taking events in.
package struct ReadMessage: Sendable {
  /// What came, or why it is no message.
  package let content: Result<Message, FormatError>
  /// Of runs, whether each has its author's signature.
  let signed: [Bool]

  /// Reads a message; whatever bytes come.
  /// - Parameter scheme: `nil` to leave the signatures for when the events are taken in.
  package init(_ bytes: [UInt8], hasher: EventHasher, scheme: (any SignatureScheme)?) {
    do throws(FormatError) {
      let message = try Message(decoding: bytes, hasher: hasher)
      content = .success(message)
      guard let scheme, case .runs(let runs) = message else {
        signed = []
        return
      }
      signed = runs.runs.map { run in
        run.events.last.map { scheme.isValid(run.signature, of: $0.id, by: $0.author) } ?? false
      }
    } catch {
      content = .failure(error)
      signed = []
    }
  }
}

/// Says of one run, whose signature was checked, that it is good.
struct CheckedRun: SignatureScheme {
  private let last: EventID?
  private let signature: Signature

  init(_ run: Run) {
    last = run.events.last?.id
    signature = run.signature
  }

  func isValid(_ signature: Signature, of id: EventID, by author: PeerID) -> Bool {
    id == last && signature == self.signature
  }
}
