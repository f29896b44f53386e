import Network
import Web

/// A browser's socket: both ends, and what is under way between them. Messages come in order, after a while; what the
/// browser sends comes in pieces.
final class SimulatedWire: SocketWire {
  /// What the browser is told.
  enum News {
    case received([UInt8])
    /// The socket has ended, and why, where the page said so.
    case ended(String?)
  }

  /// What may be under way to a browser, or wait there, before its socket takes no more.
  private static let limitUnreadBytes = 1 << 16

  private let page: SimulatedPage
  private let machine: SimulatedMachine
  private var tell: ((News) -> Void)?
  private var sent: (([UInt8]) -> Void)?
  /// The page's end; `nil` before it is opened, and when it is closed.
  private var socket: WebSocket?
  private var (isAwake, isReading) = (false, true)
  /// What has come to the browser and was not read.
  private var arrived: [News] = []
  private var unreadBytes = 0
  private var (lastUp, lastDown): (UInt64, UInt64) = (0, 0)

  /// Opens a socket at a page.
  /// - Parameters:
  ///   - source: the address from which it comes.
  ///   - sent: told what the page sends, when it does.
  ///   - tell: told what comes to the browser, until its socket has ended.
  init(
    to page: SimulatedPage, _ subprotocol: WebSocket.Subprotocol, source: String,
    sent: (([UInt8]) -> Void)? = nil, _ tell: @escaping (News) -> Void
  ) {
    (self.page, self.tell, self.sent, machine) = (page, tell, sent, page.network.machine)
    up { [self] in
      guard unsafe !page.isDead else { return down { self.end(nil) } }
      let socket = WebSocket(
        self, subprotocol, number: page.accept(self), address: source, page.settings, page.network.loop
      ) { [weak self] in self?.part() }
      self.socket = socket
      page.take(.opened(socket))
    }
  }

  private func up(_ body: @escaping () -> Void) {
    lastUp = max(lastUp + 1, machine.microseconds + page.network.delay)
    machine.at(lastUp, body)
  }

  private func down(_ body: @escaping () -> Void) {
    lastDown = max(lastDown + 1, machine.microseconds + page.network.delay)
    machine.at(lastDown, body)
  }

  // MARK: - The browser's end

  func send(_ text: String) {
    let bytes = Array(text.utf8)
    let cut = machine.draw(0...7) == 0 && bytes.count > 1 ? Int(machine.draw(1...(bytes.count - 1))) : 0
    up { [self] in
      guard let socket else { return }
      if cut > 0 { _ = socket.take(bytes[..<cut], isLast: false) }
      if let message = socket.take(bytes[cut...], isLast: true) { page.take(.received(socket, message)) }
    }
  }

  /// Whether the browser reads what comes.
  func setReading(_ isReading: Bool) {
    self.isReading = isReading
    if isReading { machine.at(machine.microseconds) { self.read() } }
  }

  /// Closes the socket.
  func close() {
    tell = nil
    up { self.closeServed() }
  }

  /// The browser is gone without a word, which the page notices after a while.
  func vanish() {
    tell = nil
    isReading = false
    let silence = UInt64(page.settings.limitSilenceSeconds) * 1_000_000
    machine.at(machine.microseconds + silence) { self.closeServed() }
  }

  private func read() {
    while isReading, !arrived.isEmpty {
      let news = arrived.removeFirst()
      if case .received(let message) = news {
        unreadBytes -= message.count
        tell?(news)
      } else {
        end(news)
      }
    }
    if !isChoked { wake() }
  }

  private func end(_ news: News?) {
    let tell = tell
    self.tell = nil
    tell?(news ?? .ended(nil))
    closeServed()
  }

  // MARK: - The page's end

  var isChoked: Bool { unreadBytes >= Self.limitUnreadBytes }

  func wake() {
    guard socket != nil, !isAwake, !isChoked else { return }
    isAwake = true
    machine.at(machine.microseconds) { [self] in
      isAwake = false
      guard let socket, !isChoked else { return }
      if !socket.write() { closeServed() }
    }
  }

  func send(_ message: [UInt8]) -> Bool {
    unreadBytes += message.count
    sent?(message)
    arrive(.received(message))
    return true
  }

  func sendClose(_ code: WebSocket.CloseCode, _ reason: [UInt8]) -> Bool {
    arrive(.ended(String(decoding: reason, as: UTF8.self)))
    return true
  }

  private func arrive(_ news: News) {
    down { [self] in
      arrived.append(news)
      read()
    }
  }

  func cutOff(afterSeconds seconds: UInt16) {
    machine.at(machine.microseconds + UInt64(seconds) * 1_000_000) { self.closeServed() }
  }

  /// It is to be closed: from now on the browser is gone.
  private func part() {
    guard let socket else { return }
    machine.at(machine.microseconds) { self.page.take(.closed(socket)) }
  }

  private func closeServed() {
    guard let socket else { return }
    (self.socket, sent) = (nil, nil)
    socket.noteClosed()
    page.take(.closed(socket))
    page.forget(self)
    if tell != nil { arrive(.ended(nil)) }
  }

  /// The page's host has died.
  func die() {
    socket?.noteClosed()
    (socket, sent) = (nil, nil)
    arrive(.ended(nil))
  }
}
