import Glibc
package import Platform

extension Descriptor {
  /// Whether this is a terminal.
  package var isTerminal: Bool { isatty(number) == 1 }

  /// The terminal's width now, in columns; `nil` when this is no terminal or it does not say.
  package var terminalColumns: Int? {
    var size = winsize()
    // SAFETY: this request writes one `winsize`, which `size` is, and nothing keeps the pointer.
    guard unsafe ioctl(number, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }
}
