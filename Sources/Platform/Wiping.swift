import Glibc

extension [UInt8] {
  /// Sets all bytes to zero, also where the compiler sees that nobody reads them any more. Copies that others hold
  /// stay.
  package mutating func wipe() {
    // SAFETY: the buffer has the bytes that it counts, and is this array's own.
    unsafe withUnsafeMutableBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      unsafe explicit_bzero(start, bytes.count)
    }
  }
}
