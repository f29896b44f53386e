import Platform
import Terminal

/// Lines that somebody types at the terminal while work goes on: each asks how it stands.
struct Asking {
  private let thread = KeyThread()

  /// Listens where somebody sits who could ask and read the answer; `stop` ends that.
  /// - Parameter answer: called for each line.
  init(_ context: Context, _ answer: @escaping @Sendable () -> Void) throws(SystemError) {
    guard Self.isWanted(context) else { return }
    try thread.start { stop in
      do throws(SystemError) {
        while true {
          let isReadable = try Descriptor.waitReadable([stop, .input])
          if isReadable[0] { return }
          // Whoever reads from a terminal that listens to another process is stopped.
          guard Descriptor.input.isOurs else {
            _ = try Descriptor.waitReadable([stop], timeoutMilliseconds: 1_000)
            continue
          }
          let bytes = try Descriptor.input.readSome(limitBytes: 4_096)
          if bytes.isEmpty { return }
          if bytes.contains(0x0A) { answer() }
        }
      } catch {
        // Nobody can ask any more.
        return
      }
    }
  }

  /// Whether somebody sits there.
  static func isWanted(_ context: Context) -> Bool {
    !context.isJSON && Descriptor.input.isTerminal && context.console.output.isTerminal
  }

  /// Listens no longer.
  func stop() async { await thread.stop() }
}
