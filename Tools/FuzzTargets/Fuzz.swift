import CFuzzer
import Foundation

/// Feeds one target with libFuzzer's inputs; `Tools/fuzz` builds and calls it.
///
/// `PARLOR_FUZZ` in the environment names the target, because libFuzzer starts this program again with
/// arguments of its own.
@main
enum Fuzz {
  /// One thing to fuzz: it takes any bytes, and traps when a promise is broken.
  struct Target: Sendable {
    let name: String
    let run: @Sendable ([UInt8]) -> Void
    /// A change of an input that keeps hashes and links whole; `nil` where it cannot be had or is not wanted.
    var mutate: (@Sendable (_ input: [UInt8], _ limit: Int, _ seed: UInt32) -> [UInt8]?)?
  }

  /// Every target, in the order of lists.
  static let targets = [
    Target(name: "event", run: EventTarget.run),
    Target(name: "bundle", run: BundleTarget.run, mutate: BundleMutator.mutate),
    Target(name: "room", run: RoomTarget.run),
    Target(name: "message", run: MessageTarget.run),
    Target(name: "channel", run: ChannelTarget.run),
    Target(name: "peers", run: PeersTarget.run),
    Target(name: "packet", run: PacketTarget.run),
    Target(name: "frame", run: FrameTarget.run),
    Target(name: "words", run: WordsTarget.run),
    Target(name: "reply", run: ReplyTarget.run),
  ]

  /// The target that this process feeds.
  static let target: Target? = {
    let name = ProcessInfo.processInfo.environment["PARLOR_FUZZ"] ?? ""
    return targets.first { $0.name == name }
  }()

  static func main() {
    guard target != nil else {
      print("PARLOR_FUZZ names no target; there are: \(targets.map(\.name).joined(separator: " "))")
      exit(64)
    }
    var count = CommandLine.argc
    // SAFETY: the process's own arguments, which live as long as it does.
    var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = unsafe CommandLine.unsafeArgv
    let status = unsafe LLVMFuzzerRunDriver(&count, &arguments) { data, size in
      // SAFETY: libFuzzer gives `size` readable bytes.
      Fuzz.target?.run(unsafe Array(UnsafeBufferPointer(start: data, count: size)))
      return 0
    }
    exit(status)
  }

  /// Stops the process with a reason that optimized programs print as well.
  static func fail(_ reason: @autoclosure () -> String) -> Never {
    FileHandle.standardError.write(Data("broken promise: \(reason())\n".utf8))
    abort()
  }

  /// Fails unless a promise holds.
  static func promise(_ holds: Bool, _ reason: @autoclosure () -> String) {
    if !holds { fail(reason()) }
  }

  /// One of libFuzzer's own changes.
  static func plainMutation(_ input: [UInt8], limit: Int) -> [UInt8] {
    var bytes = input
    bytes.reserveCapacity(limit)
    bytes += [UInt8](repeating: 0, count: max(0, limit - input.count))
    // SAFETY: the array has at least `limit` bytes; libFuzzer changes at most these.
    let count = unsafe bytes.withUnsafeMutableBufferPointer { buffer in
      unsafe LLVMFuzzerMutate(buffer.baseAddress, min(input.count, limit), limit)
    }
    return Array(bytes.prefix(count))
  }
}

/// libFuzzer's hook for changes that know the format.
@c(LLVMFuzzerCustomMutator)
public func mutate(_ data: UnsafeMutablePointer<UInt8>, _ size: Int, _ limit: Int, _ seed: UInt32) -> Int {
  // SAFETY: libFuzzer gives `size` bytes in a buffer of `limit`.
  let input = unsafe Array(UnsafeBufferPointer(start: data, count: size))
  let output = Fuzz.target?.mutate?(input, limit, seed) ?? Fuzz.plainMutation(input, limit: limit)
  for (at, byte) in output.prefix(limit).enumerated() { unsafe data[at] = byte }
  return min(output.count, limit)
}
