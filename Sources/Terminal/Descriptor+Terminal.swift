import Glibc
package import Platform

extension Descriptor {
  /// Whether this is a terminal.
  package var isTerminal: Bool { isatty(number) == 1 }

  /// The terminal's width now, in columns; `nil` when this is no terminal or it does not say.
  package var terminalColumns: Int? { terminalSize.map { Int($0.ws_col) }.flatMap { $0 > 0 ? $0 : nil } }

  /// The terminal's height now, in rows; `nil` when this is no terminal or it does not say.
  package var terminalRows: Int? { terminalSize.map { Int($0.ws_row) }.flatMap { $0 > 0 ? $0 : nil } }

  private var terminalSize: winsize? {
    var size = winsize()
    // SAFETY: this request writes one `winsize`, which `size` is, and nothing keeps the pointer.
    guard unsafe ioctl(number, UInt(TIOCGWINSZ), &size) == 0 else { return nil }
    return size
  }
}
