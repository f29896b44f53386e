/// A kind of JSON object that a command prints after `--json`: names that stay the same from release to
/// release.
package struct ObjectDefinition: Hashable, Sendable {
  /// What stands in its member `type`.
  package var type: String
  /// When it comes, in one line.
  package var summary: String
  /// Its other members, in the order in which they are written.
  package var fields: [Field]

  /// One member of an object.
  package struct Field: Hashable, Sendable {
    /// The member's name.
    package var name: String
    /// What its value is, with its unit; where it may be absent or `null`, that too.
    package var summary: String
  }

  /// An object of this type; every one has these members, in this order.
  package init(_ type: String, _ summary: String, _ fields: KeyValuePairs<String, String>) {
    self.type = type
    self.summary = summary
    self.fields = fields.map { Field(name: $0.key, summary: $0.value) }
  }
}
