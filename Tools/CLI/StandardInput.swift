import Platform
import Terminal

extension Interrupts {
  /// What standard input holds, to its end or as much as is too long.
  /// - Throws: `Failure` when somebody asked to stop before the end came.
  func standardInput(limitBytes: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < limitBytes {
      guard try Descriptor.waitReadable([.input, stop])[1] == false else {
        throw Failure(.interrupted, nil)
      }
      guard let more = try Descriptor.input.read(limitBytes: min(limitBytes - bytes.count, 1 << 16)) else {
        continue
      }
      if more.isEmpty { break }
      bytes += more
    }
    return bytes
  }
}
