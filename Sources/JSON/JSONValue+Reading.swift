internal import CJansson

/// Why a text is no JSON.
package struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Where it was found, both from 1.
  package let line: Int
  package let column: Int
  /// What is wrong, in words that quote nothing of the text.
  package let reason: String

  /// The place and the reason.
  package var description: String { "line \(line), column \(column): \(reason)" }
}

extension JSONValue {
  /// Reads a text (RFC 8259), strictly: in UTF-8, without a name that comes twice in an object, nested at most 2,048
  /// deep, with whole numbers of at most 64 bits.
  package init(parsing text: [UInt8]) throws(JSONError) {
    var error = json_error_t()
    let root = unsafe text.withUnsafeBytes { bytes in
      // SAFETY: the parser reads the bytes that it is told of, and keeps none.
      unsafe json_loadb(
        bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count,
        Int(JSON_REJECT_DUPLICATES | JSON_DECODE_ANY), &error)
    }
    guard let root = unsafe root else { throw JSONError(error, isEmpty: text.isEmpty) }
    defer { unsafe json_decref(root) }
    self = unsafe JSONValue(root)
  }

  /// A copy of what the parser has made.
  private init(_ value: UnsafeMutablePointer<json_t>) {
    // SAFETY: the value is alive, and each call is one for its kind.
    switch unsafe value.pointee.type {
    case JSON_OBJECT:
      var members: [JSONMember] = []
      var next = unsafe json_object_iter(value)
      while let at = unsafe next {
        if let name = unsafe json_object_iter_key(at), let inner = unsafe json_object_iter_value(at) {
          unsafe members.append(JSONMember(String(cString: name), JSONValue(inner)))
        }
        unsafe next = json_object_iter_next(value, at)
      }
      self = .object(members)
    case JSON_ARRAY:
      self = unsafe .array(
        (0..<json_array_size(value)).compactMap { index in
          unsafe json_array_get(value, index).map { unsafe JSONValue($0) }
        })
    case JSON_STRING:
      let bytes = unsafe UnsafeRawBufferPointer(
        start: json_string_value(value), count: json_string_length(value))
      self = unsafe .string(String(decoding: bytes, as: UTF8.self))
    case JSON_INTEGER: self = unsafe .integer(Int64(json_integer_value(value)))
    case JSON_REAL: self = unsafe .real(json_real_value(value))
    case JSON_TRUE: self = .bool(true)
    case JSON_FALSE: self = .bool(false)
    default: self = .null
    }
  }
}

extension JSONError {
  fileprivate init(_ error: json_error_t, isEmpty: Bool) {
    let text = unsafe withUnsafeBytes(of: error.text) { bytes in
      unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    // What follows is a piece of the text, which may be anything.
    let pieces = text.split(separator: " near ", maxSplits: 1)
    let reason = isEmpty ? "the text is empty" : pieces.first.map(String.init) ?? "it is no JSON"
    self.init(line: max(1, Int(error.line)), column: max(1, Int(error.column)), reason: reason)
  }
}
