/// One end of a stream through a relay.
final class RelayStream: ByteStream {
  let remote: Address
  private let loop: EventLoop
  private var pipe: RelayPipe
  private var receive: ((StreamEvent) -> Void)?
  private var isReading = false
  private var isScheduled = false
  private var isClosed = false
  /// Sends to the other end; `nil` when the stream is no more.
  private var send: ((RelayPart) -> Void)?
  /// Has the stream forgotten.
  private let forget: () -> Void

  init(
    _ loop: EventLoop, _ remote: Address, _ pipe: RelayPipe, send: @escaping (RelayPart) -> Void,
    forget: @escaping () -> Void
  ) {
    self.loop = loop
    self.remote = remote
    self.pipe = pipe
    self.send = send
    self.forget = forget
  }

  var queuedBytes: Int { pipe.unsentBytes }

  func start(_ receive: @escaping (StreamEvent) -> Void) {
    self.receive = receive
    setReading(true)
  }

  func setReading(_ isReading: Bool) {
    self.isReading = isReading
    guard isReading, !isScheduled else { return }
    isScheduled = true
    loop.later { [self] in
      isScheduled = false
      deliver()
    }
  }

  func write(_ bytes: [UInt8]) {
    guard !isClosed else { return }
    pipe.write(bytes)
    sendParts()
  }

  func close(afterWriting: Bool) {
    receive = nil
    isClosed = true
    guard afterWriting, !pipe.isBroken else { return end(saying: .cut) }
    pipe.finish()
    sendParts()
  }

  /// Something came.
  func take(_ part: RelayPart) {
    pipe.take(part)
    sendParts()
    deliver()
  }

  /// The relay is away: what was on its way may be lost.
  func breakOff() {
    pipe.take(.cut)
    deliver()
  }

  /// Sends what may be sent now.
  private func sendParts() {
    guard let send else { return }
    let hadBytes = pipe.unsentBytes > 0
    for part in pipe.takeParts() { send(part) }
    if pipe.hasSentAll { return end(saying: nil) }
    if hadBytes, pipe.unsentBytes == 0 { loop.later { [self] in receive?(.drained) } }
  }

  /// Hands on what came, as long as it is read.
  private func deliver() {
    if isReading, let receive, !pipe.isBroken {
      let bytes = pipe.takeUnread()
      if !bytes.isEmpty { receive(.received(bytes)) }
      sendParts()
    }
    guard pipe.isOver, isReading || pipe.isBroken else { return }
    let receive = receive
    self.receive = nil
    if pipe.isBroken { end(saying: .cut) }
    receive?(.ended)
  }

  private func end(saying last: RelayPart?) {
    guard let send else { return }
    if let last { send(last) }
    self.send = nil
    forget()
  }
}
