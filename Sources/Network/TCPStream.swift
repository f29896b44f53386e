internal import CLibuv
internal import Glibc

/// A TCP connection.
@safe final class TCPStream: ByteStream {
  let loop: EventLoop
  private(set) var remote: Address
  private var handle: UnsafeMutablePointer<uv_tcp_t>?
  private var receive: ((StreamEvent) -> Void)?
  private var isReading = false
  private(set) var queuedBytes = 0
  /// Whether it ends when everything is written.
  private var isEnding = false

  /// A socket that is not connected.
  init(_ loop: EventLoop, remote: Address) {
    self.loop = loop
    self.remote = remote
    unsafe handle = openSocket(on: loop, keeping: self)
  }

  private static func of(_ data: UnsafeMutableRawPointer?) -> TCPStream? {
    // SAFETY: the data of handles and requests here is a stream that they keep.
    unsafe data.map { unsafe Unmanaged<TCPStream>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Calls `body` with the socket while it is open.
  func withSocket(_ body: (UnsafeMutablePointer<uv_tcp_t>) -> Int32) -> Int32 {
    guard let handle = unsafe handle else { return UV_ECANCELED.rawValue }
    return unsafe body(handle)
  }

  /// The socket as a stream of libuv.
  func withStream(_ body: (UnsafeMutablePointer<uv_stream_t>) -> Int32) -> Int32 {
    unsafe withSocket {
      unsafe body(UnsafeMutableRawPointer($0).assumingMemoryBound(to: uv_stream_t.self))
    }
  }

  /// The connection stands.
  func isConnected() {
    unsafe _ = withSocket { unsafe uv_tcp_nodelay($0, 1) }
    if let handle = unsafe handle, let address = unsafe SocketAddress.of(handle, isRemote: true) {
      remote = address
    }
  }

  /// Gives its connection away, and is closed.
  /// - Returns: a descriptor that is the caller's; `nil` where the system has no more of them.
  func handOver() -> Int32? {
    defer { close(afterWriting: false) }
    var descriptor: Int32 = -1
    let code = unsafe withStream { stream in
      unsafe uv_fileno(UnsafeRawPointer(stream).assumingMemoryBound(to: uv_handle_t.self), &descriptor)
    }
    guard code == 0 else { return nil }
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    return copy < 0 ? nil : copy
  }

  // MARK: - Reading

  func start(_ receive: @escaping (StreamEvent) -> Void) {
    self.receive = receive
    setReading(true)
  }

  func setReading(_ isReading: Bool) {
    guard isReading != self.isReading else { return }
    self.isReading = isReading
    let code =
      if isReading {
        // SAFETY: the buffer is the loop's, and what was read is copied before anything else is read into it.
        unsafe withStream {
          unsafe uv_read_start(
            $0,
            { handle, _, buffer in
              guard let stream = unsafe TCPStream.of(handle?.pointee.data) else { return }
              unsafe buffer?.pointee = uv_buf_init(stream.loop.thread.buffer, UInt32(LoopThread.readBytes))
            },
            { handle, count, buffer in
              guard let stream = unsafe TCPStream.of(handle?.pointee.data) else { return }
              unsafe stream.hasRead(count, buffer?.pointee.base)
            })
        }
      } else {
        unsafe withStream { unsafe uv_read_stop($0) }
      }
    // What cannot be read from is told when its owner has returned to the loop.
    if code < 0 { loop.later { self.tell(.ended) } }
  }

  private func hasRead(_ count: Int, _ base: UnsafeMutablePointer<CChar>?) {
    guard count != 0 else { return }
    guard count > 0, let base = unsafe base else { return tell(.ended) }
    // SAFETY: libuv has written so many bytes there.
    tell(.received(unsafe Array(UnsafeRawBufferPointer(start: base, count: count))))
  }

  private func tell(_ event: StreamEvent) {
    let receive = receive
    if case .ended = event {
      self.receive = nil
      unsafe _ = withStream { unsafe uv_read_stop($0) }
    }
    receive?(event)
  }

  // MARK: - Writing

  /// Bytes that libuv is writing, and what belongs to them.
  @safe private final class Write {
    let stream: TCPStream
    let bytes: UnsafeMutableBufferPointer<CChar>

    init(_ stream: TCPStream, _ content: [UInt8]) {
      self.stream = stream
      unsafe bytes = .allocate(capacity: content.count)
      // SAFETY: both have `content.count` bytes.
      unsafe UnsafeMutableRawBufferPointer(bytes).copyBytes(from: content)
    }

    deinit { unsafe bytes.deallocate() }
  }

  func write(_ bytes: [UInt8]) {
    guard !bytes.isEmpty, !isEnding, unsafe handle != nil else { return }
    let write = Write(self, bytes)
    let request = UnsafeMutablePointer<uv_write_t>.allocate(capacity: 1)
    unsafe request.pointee.data = Unmanaged.passRetained(write).toOpaque()
    var buffer = unsafe uv_buf_init(write.bytes.baseAddress, UInt32(bytes.count))
    queuedBytes += bytes.count
    // SAFETY: libuv copies the buffer's description; the bytes and the request live until it calls back.
    let code = unsafe withStream {
      unsafe uv_write(request, $0, &buffer, 1) { unsafe TCPStream.wrote($0, $1) }
    }
    if code < 0 {
      unsafe Unmanaged.passUnretained(write).release()
      unsafe request.deallocate()
      queuedBytes -= bytes.count
      loop.later { self.tell(.ended) }
    }
  }

  private static func wrote(_ request: UnsafeMutablePointer<uv_write_t>?, _ status: Int32) {
    guard let request = unsafe request, let data = unsafe request.pointee.data else { return }
    let write = unsafe Unmanaged<Write>.fromOpaque(data).takeRetainedValue()
    unsafe request.deallocate()
    let stream = write.stream
    stream.queuedBytes -= unsafe write.bytes.count
    if stream.isEnding {
      if stream.queuedBytes == 0 { stream.closeNow() }
    } else if status < 0 {
      stream.tell(.ended)
    } else if stream.queuedBytes == 0 {
      stream.tell(.drained)
    }
  }

  // MARK: - The end

  func close(afterWriting: Bool) {
    receive = nil
    guard afterWriting, queuedBytes > 0 else { return closeNow() }
    isEnding = true
  }

  private func closeNow() {
    guard let handle = unsafe handle else { return }
    unsafe self.handle = nil
    isEnding = true
    unsafe closeHandle(handle)
  }
}
