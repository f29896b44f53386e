import Glibc
import Platform
import Synchronization

/// A terminal that shows nothing of what is typed, until it is given back as it was. Where a whole screen is drawn, it
/// has a second one for that meanwhile, so that the first one comes back too.
///
/// `Interrupts` knows of it, so that it is given back before this process is stopped or ends at once, and held again
/// when the process goes on. While another process has the terminal, it is left alone.
final class HeldTerminal: Sendable {
  /// What is read from it.
  enum Mode: Sendable {
    /// Keys as they are pressed.
    case keys
    /// Whole lines, which can be corrected until they end.
    case lines
  }

  /// What happened to the terminal.
  enum Change: Hashable, Sendable {
    /// It has another size.
    case resized
    /// This process was stopped and goes on: others may have written meanwhile.
    case returned
  }

  private struct State: Sendable {
    var isHeld = false
    /// Whether it is given back for good.
    var isOver = false
    var change: Change?
  }

  /// The terminal.
  let input: Descriptor
  /// Becomes readable when something happened to the terminal.
  let changes: Descriptor
  private let wake: Descriptor
  /// Where a whole screen is drawn; `nil` where none is.
  private let screen: Descriptor?
  /// Whether what was typed and not read is thrown away in the end.
  private let discardsInput: Bool
  private let standard: termios
  private let held: termios
  private let state = Guarded(State())

  /// A terminal that is not held yet.
  /// - Parameters:
  ///   - screen: where a whole screen is drawn.
  ///   - discardsInput: whether what was typed and not read is thrown away in the end.
  init(
    _ input: Descriptor, _ mode: Mode, screen: Descriptor? = nil, discardsInput: Bool = false
  ) throws(SystemError) {
    self.screen = screen
    self.discardsInput = discardsInput
    standard = try input.terminalSettings()
    held = mode == .keys ? standard.forKeys : standard.forLines
    (changes, wake) = try Descriptor.pipe()
    self.input = input
  }

  deinit {
    changes.forget()
    wake.forget()
  }

  /// Has nothing shown of what is typed, unless another process has the terminal.
  /// - Returns: whether it was not held before, and is now.
  @discardableResult func hold() throws(SystemError) -> Bool {
    try state.withLock { state throws(SystemError) in
      guard !state.isHeld, !state.isOver, input.isOurs else { return false }
      try input.set(held)
      state.isHeld = true
      try screen?.write(Self.enter)
      return true
    }
  }

  /// Draws on the screen, while this process has it. A terminal that knows the mode 2026 shows all of it at once.
  func draw(_ text: String) throws(SystemError) {
    try state.withLock { state throws(SystemError) in
      guard state.isHeld, let screen else { return }
      try screen.write(Array("\u{1B}[?2026h\(text)\u{1B}[?2026l".utf8))
    }
  }

  /// Goes to the second screen, which is empty, and cuts rows that are too wide instead of breaking them; asks for the
  /// presses of a mouse (the modes 1049, 7, 1000 and 1006 of xterm). What a terminal does not know it passes over.
  private static let enter = Array("\u{1B}[?1049h\u{1B}[?7l\u{1B}[?1000h\u{1B}[?1006h\u{1B}[H\u{1B}[2J".utf8)
  /// Takes all of it back. A terminal without a second screen goes on below what is drawn.
  private static let leave = Array(
    "\u{1B}[999;1H\u{1B}[2K\u{1B}[?1006l\u{1B}[?1000l\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l".utf8)

  /// Stops this process while another one has the terminal, as reading from it would, and before a line that is meant
  /// for that one is taken for an answer. Where nobody can let it go on, it is not stopped.
  func waitForTurn() {
    guard !input.isOurs else { return }
    // Threads of Swift's pool block all signals.
    var (stopping, before) = (sigset_t(), sigset_t())
    // SAFETY: each call changes or reads only the sets that it is lent; none can fail for this signal.
    unsafe sigemptyset(&stopping)
    unsafe sigaddset(&stopping, SIGTTIN)
    unsafe pthread_sigmask(SIG_UNBLOCK, &stopping, &before)
    raise(SIGTTIN)
    unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
  }

  /// Gives the terminal back as it was.
  /// - Parameter isOver: whether it will not be held again.
  func giveBack(isOver: Bool) {
    state.withLock { state in
      if isOver { state.isOver = true }
      guard state.isHeld else { return }
      state.isHeld = false
      guard input.isOurs else { return }
      // A terminal that is gone needs nothing.
      do throws(SystemError) {
        try screen?.write(Self.leave)
        try input.set(standard, discardsInput: isOver && discardsInput)
      } catch { return }
    }
  }

  /// Goes on after this process was stopped, whatever others have made of the terminal meanwhile.
  func goOn() {
    state.withLock { $0.isHeld = false }
    // It was there before; when it is gone, reading says so.
    do throws(SystemError) { try hold() } catch {}
    note(.returned)
  }

  /// Tells whoever reads keys that something happened.
  func note(_ change: Change) {
    let isNew = state.withLock { state in
      defer { if state.change != .returned { state.change = change } }
      return state.change == nil
    }
    guard isNew else { return }
    // One byte at most lies in the pipe, so this never waits.
    do throws(SystemError) { try wake.write([1]) } catch { return }
  }

  /// What happened since the last call.
  func takeChange() throws(SystemError) -> Change? {
    _ = try changes.read(limitBytes: 1)
    return state.withLock { state in
      defer { state.change = nil }
      return state.change
    }
  }
}

extension Descriptor {
  /// Whether this terminal listens to this process: no other one is in its foreground.
  package var isOurs: Bool {
    let group = tcgetpgrp(number)
    // It fails where the terminal is not the one that starts and stops this process.
    return group < 0 || group == getpgrp()
  }

  fileprivate func terminalSettings() throws(SystemError) -> termios {
    var settings = termios()
    // SAFETY: the call fills the structure that it is lent.
    guard unsafe tcgetattr(number, &settings) == 0 else { throw SystemError("tcgetattr", errno) }
    return settings
  }

  /// Changes what the terminal does, at once: waiting for what is still to be shown could take for ever.
  fileprivate func set(_ settings: termios, discardsInput: Bool = false) throws(SystemError) {
    if discardsInput { tcflush(number, TCIFLUSH) }
    var settings = settings
    // SAFETY: the call reads the structure that it is lent.
    while unsafe tcsetattr(number, TCSANOW, &settings) != 0 {
      guard errno == EINTR else { throw SystemError("tcsetattr", errno) }
    }
  }
}

extension termios {
  /// The same, but each key comes when it is pressed, and is not shown. Ctrl-C and Ctrl-Z are signals as before; the
  /// key that ends a process at once, with the terminal as it is then, is a key like others.
  fileprivate var forKeys: termios {
    var settings = self
    settings.c_lflag &= ~(tcflag_t(ICANON) | tcflag_t(ECHO) | tcflag_t(IEXTEN))
    settings.set(VMIN, to: 1)
    settings.set(VTIME, to: 0)
    settings.set(VQUIT, to: 0)
    return settings
  }

  /// The same, but lines come without being shown, only their ends are.
  fileprivate var forLines: termios {
    var settings = self
    settings.c_lflag &= ~tcflag_t(ECHO)
    settings.c_lflag |= tcflag_t(ICANON) | tcflag_t(ECHONL)
    settings.set(VQUIT, to: 0)
    return settings
  }

  private mutating func set(_ place: Int32, to character: cc_t) {
    // SAFETY: the names of characters are places of this very array.
    unsafe withUnsafeMutableBytes(of: &c_cc) { characters in unsafe characters[Int(place)] = character }
  }
}
