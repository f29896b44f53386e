internal import CSodium

/// Secret bytes, which are wiped when nobody refers to them any more.
@safe final class Secret: Sendable {
  let count: Int
  // SAFETY: written in `init` only, read while this object lives, freed in `deinit`.
  nonisolated(unsafe) private let memory: UnsafeMutablePointer<UInt8>

  /// Takes bytes over: the array is wiped.
  init(taking bytes: inout [UInt8]) {
    precondition(sodium_init() >= 0, "libsodium could not start")
    count = bytes.count
    unsafe memory = UnsafeMutablePointer<UInt8>.allocate(capacity: max(bytes.count, 1))
    unsafe memory.initialize(from: bytes, count: bytes.count)
    wipe(&bytes)
  }

  /// A secret of a copy of bytes.
  convenience init(copying bytes: [UInt8]) {
    var copy = bytes
    self.init(taking: &copy)
  }

  deinit {
    // SAFETY: the memory has `count` bytes and was allocated in `init`.
    unsafe sodium_memzero(memory, count)
    unsafe memory.deallocate()
  }

  /// Calls `body` with the bytes where they lie; they must not be kept.
  func withBytes<Result, Failure: Error>(
    _ body: (UnsafePointer<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe body(UnsafePointer(memory))
  }

  /// A copy of the bytes, which whoever asked has to wipe.
  func copy() -> [UInt8] {
    // SAFETY: the memory has `count` bytes.
    unsafe Array(UnsafeBufferPointer(start: memory, count: count))
  }
}

/// Sets bytes to zero, also where the compiler sees that nobody reads them any more.
func wipe(_ bytes: inout [UInt8]) {
  let count = bytes.count
  // SAFETY: the array has `count` bytes.
  unsafe sodium_memzero(&bytes, count)
}
