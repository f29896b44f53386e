internal import CLibuv

/// A socket that waits for connections, of TCP or with a name in a folder: libuv asks nothing of a stream's family.
@safe final class SocketListener: Listener {
  private let loop: EventLoop
  private let accept: (TCPStream) -> Void
  private let closed: () -> Void
  private var handle: UnsafeMutablePointer<uv_tcp_t>?
  private(set) var address: Address
  /// How many connections were accepted in a turn of the loop, and in which.
  private var accepted = (count: 0, turn: 0)

  /// The most that are accepted before other sockets are looked at: libuv goes on as long as there are any.
  private static let limitAccepted = 64

  /// - Parameters:
  ///   - address: where it is to listen; the system says where it does.
  ///   - name: the same, in words.
  ///   - backlog: how many connections the system keeps that were not accepted yet.
  ///   - bind: gives the socket its place.
  ///   - closed: called once, when it listens no more.
  init(
    _ loop: EventLoop, _ address: Address, _ name: String, backlog: Int32,
    bind: (UnsafeMutablePointer<uv_tcp_t>) -> Int32, closed: @escaping () -> Void = {},
    accept: @escaping (TCPStream) -> Void
  ) throws(NetworkError) {
    self.loop = loop
    self.accept = accept
    self.closed = closed
    self.address = address
    let handle = unsafe openSocket(on: loop, keeping: self)
    unsafe self.handle = handle
    var code = unsafe bind(handle)
    if code == 0 {
      let stream = unsafe UnsafeMutableRawPointer(handle).assumingMemoryBound(to: uv_stream_t.self)
      // SAFETY: the handle's data is this object, which it keeps.
      code = unsafe uv_listen(stream, backlog) { stream, status in
        guard status == 0, let data = unsafe stream?.pointee.data else { return }
        unsafe Unmanaged<SocketListener>.fromOpaque(data).takeUnretainedValue().acceptNext()
      }
    }
    guard code == 0 else {
      close()
      throw .code(code, "cannot listen on \(name)")
    }
    if let bound = unsafe SocketAddress.of(handle, isRemote: false) { self.address = bound }
  }

  private func acceptNext() {
    guard let handle = unsafe handle else { return }
    if accepted.turn != loop.turns { accepted = (0, loop.turns) }
    // libuv keeps this one until it is taken, and accepts no other meanwhile.
    guard accepted.count < Self.limitAccepted else { return loop.later { self.acceptNext() } }
    accepted.count += 1
    let stream = TCPStream(loop, remote: address)
    let server = unsafe UnsafeMutableRawPointer(handle).assumingMemoryBound(to: uv_stream_t.self)
    // SAFETY: both are open handles of this loop.
    guard unsafe stream.withStream({ unsafe uv_accept(server, $0) }) == 0 else {
      return stream.close(afterWriting: false)
    }
    accept(stream)
  }

  func close() {
    guard let handle = unsafe handle else { return }
    unsafe self.handle = nil
    closed()
    unsafe closeHandle(handle)
  }
}

/// A handle for a socket, which keeps its owner until it is closed.
func openSocket(on loop: EventLoop, keeping owner: AnyObject) -> UnsafeMutablePointer<uv_tcp_t> {
  loop.checkIsolated()
  let handle = UnsafeMutablePointer<uv_tcp_t>.allocate(capacity: 1)
  // SAFETY: the loop runs on this thread; the handle's data is its owner.
  unsafe _ = uv_tcp_init(loop.thread.loop, handle)
  unsafe handle.pointee.data = Unmanaged.passRetained(owner).toOpaque()
  return unsafe handle
}

/// Closes an open handle that keeps its owner; writes that are under way are called back before.
func closeHandle(_ handle: UnsafeMutableRawPointer) {
  // SAFETY: every kind of handle begins with a `uv_handle_t`; it is freed when libuv has let go of it.
  unsafe uv_close(handle.assumingMemoryBound(to: uv_handle_t.self)) { handle in
    guard let handle = unsafe handle, let data = unsafe handle.pointee.data else { return }
    unsafe Unmanaged<AnyObject>.fromOpaque(data).release()
    unsafe UnsafeMutableRawPointer(handle).deallocate()
  }
}
