internal import CZlib

/// Content as it is sent to browsers that read it packed.
enum Gzip {
  /// The form of RFC 1952: 15 bits of window, and 16 more that ask for its head and sum.
  private static let (windowBits, memory): (Int32, Int32) = (15 + 16, 8)

  /// The content, packed as small as it gets.
  static func packed(_ content: [UInt8]) -> [UInt8] {
    var stream = unsafe z_stream()
    let version = ZLIB_VERSION
    // SAFETY: the stream is this one, and the version that of the header.
    let code = unsafe deflateInit2_(
      &stream, Z_BEST_COMPRESSION, Z_DEFLATED, windowBits, memory, Z_DEFAULT_STRATEGY, version,
      Int32(MemoryLayout<z_stream>.size))
    precondition(code == Z_OK, "the library that packs cannot begin: \(code)")
    defer { unsafe _ = deflateEnd(&stream) }
    var input = content
    var output = [UInt8](repeating: 0, count: Int(unsafe deflateBound(&stream, UInt(content.count))))
    let ended = unsafe input.withUnsafeMutableBufferPointer { input in
      unsafe output.withUnsafeMutableBufferPointer { output in
        // SAFETY: both buffers outlive the call, which reads and writes no more than it is told.
        unsafe (stream.next_in, stream.avail_in) = (input.baseAddress, UInt32(input.count))
        unsafe (stream.next_out, stream.avail_out) = (output.baseAddress, UInt32(output.count))
        return unsafe deflate(&stream, Z_FINISH)
      }
    }
    precondition(
      ended == Z_STREAM_END, "a buffer of the library's own bound is long enough, but it says \(ended)")
    return Array(output.prefix(unsafe Int(stream.total_out)))
  }

  /// Whether a browser reads it, by its header `Accept-Encoding` (RFC 9110, section 12.5.3).
  static func isAccepted(by header: String?) -> Bool {
    let entries = (header ?? "").split(separator: ",").map { entry in
      entry.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
    }
    // What is said of all others does not count where it is named.
    let entry = entries.first { $0.first == "gzip" } ?? entries.first { $0.first == "*" }
    guard let weight = entry?.dropFirst().first(where: { $0.hasPrefix("q=") }) else { return entry != nil }
    return !weight.dropFirst(2).allSatisfy { "0.".contains($0) }
  }
}
