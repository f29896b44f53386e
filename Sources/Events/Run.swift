/// A stretch of one feed whose last event is signed, and so the whole stretch.
package struct Run: Hashable, Sendable {
  /// The most events under one signature.
  package static let limitEvents = 256
  /// The most bytes of bodies under one signature.
  package static let limitBytes = 65_536

  /// Events of one author with sequences that follow each other.
  package var events: [Event]
  /// The author's signature over the last one.
  package var signature: Signature

  /// A run of these values; whether it holds is for the receiver to check.
  package init(events: [Event], signature: Signature) {
    self.events = events
    self.signature = signature
  }
}
