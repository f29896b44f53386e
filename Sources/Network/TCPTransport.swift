internal import CLibuv

/// Connections over TCP, of both versions of IP.
package struct TCPTransport: Transport {
  package let loop: EventLoop

  package init(_ loop: EventLoop) { self.loop = loop }

  package func serves(_ address: Address) -> Bool { address.host != Address.inProcess && !address.isRelayed }

  /// How many connections the system keeps that were not accepted yet: when it has as many, it answers nobody for a
  /// second or more.
  private static let backlog: Int32 = 4_096

  package func listen(
    on address: Address, _ accept: @escaping (any ByteStream) -> Void
  ) throws(NetworkError) -> any Listener {
    try listen(on: address) { (stream: TCPStream) in accept(stream) }
  }

  /// Waits for connections and hands each over as a descriptor, for a library that has its own way with sockets. So the
  /// place is this process's from here on, and who cannot have it hears why.
  /// - Parameters:
  ///   - address: port 0 lets the system choose.
  ///   - take: gets a descriptor that never blocks, whose owner it is from then on.
  package func listen(
    on address: Address, handingOver take: @escaping (Int32) -> Void
  ) throws(NetworkError) -> any Listener {
    try listen(on: address) { (stream: TCPStream) in
      if let descriptor = stream.handOver() { take(descriptor) }
    }
  }

  private func listen(
    on address: Address, _ accept: @escaping (TCPStream) -> Void
  ) throws(NetworkError) -> any Listener {
    guard let numbers = SocketAddress(address) else { throw .notAnAddress(address.description) }
    return try unsafe SocketListener(
      loop, address, address.description, backlog: Self.backlog,
      bind: { socket in unsafe numbers.withAddress { unsafe uv_tcp_bind(socket, $0, 0) } },
      accept: { stream in
        stream.isConnected()
        accept(stream)
      })
  }

  package func connect(
    to address: Address, _ done: @escaping (Result<any ByteStream, NetworkError>) -> Void
  ) -> any ConnectionAttempt {
    TCPAttempt(loop, address, done)
  }
}

/// A connection that is being made: the name is looked up, then its addresses are tried one after the other.
@safe private final class TCPAttempt: ConnectionAttempt {
  private let loop: EventLoop
  private let target: Address
  private var done: ((Result<any ByteStream, NetworkError>) -> Void)?
  private var rest: [SocketAddress] = []
  private var stream: TCPStream?

  init(
    _ loop: EventLoop, _ target: Address, _ done: @escaping (Result<any ByteStream, NetworkError>) -> Void
  ) {
    loop.checkIsolated()
    self.loop = loop
    self.target = target
    self.done = done
    if let numbers = SocketAddress(target) {
      rest = [numbers]
      loop.later { self.tryNext(after: UV_ECANCELED.rawValue) }
    } else {
      resolve()
    }
  }

  func cancel() {
    done = nil
    stream?.close(afterWriting: false)
    stream = nil
  }

  private func finish(_ result: Result<any ByteStream, NetworkError>) {
    let done = done
    self.done = nil
    done?(result)
  }

  // MARK: - Names

  private func resolve() {
    let request = UnsafeMutablePointer<uv_getaddrinfo_t>.allocate(capacity: 1)
    unsafe request.pointee.data = Unmanaged.passRetained(self).toOpaque()
    var hints = unsafe addrinfo()
    unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    // SAFETY: libuv copies names and hints; the request lives until it calls back.
    let code = unsafe uv_getaddrinfo(
      loop.thread.loop, request,
      { request, status, found in unsafe TCPAttempt.resolved(request, status, found) },
      target.host, "\(target.port)", &hints)
    if code < 0 {
      unsafe Unmanaged.passUnretained(self).release()
      unsafe request.deallocate()
      loop.later { self.finish(.failure(.code(code, "cannot look up \(self.target.host)"))) }
    }
  }

  private static func resolved(
    _ request: UnsafeMutablePointer<uv_getaddrinfo_t>?, _ status: Int32,
    _ found: UnsafeMutablePointer<addrinfo>?
  ) {
    defer { unsafe uv_freeaddrinfo(found) }
    guard let request = unsafe request, let data = unsafe request.pointee.data else { return }
    let attempt = unsafe Unmanaged<TCPAttempt>.fromOpaque(data).takeRetainedValue()
    unsafe request.deallocate()
    guard status == 0 else {
      return attempt.finish(.failure(.code(status, "cannot look up \(attempt.target.host)")))
    }
    var next = unsafe found
    while let info = unsafe next {
      if let address = unsafe info.pointee.ai_addr {
        unsafe attempt.rest.append(SocketAddress(address, Int(info.pointee.ai_addrlen)))
      }
      unsafe next = info.pointee.ai_next
    }
    attempt.tryNext(after: UV_EAI_NONAME.rawValue)
  }

  // MARK: - Addresses

  private func tryNext(after code: Int32) {
    guard done != nil else { return }
    guard !rest.isEmpty else { return finish(.failure(.code(code, "cannot connect to \(target)"))) }
    let address = rest.removeFirst()
    let stream = TCPStream(loop, remote: target)
    self.stream = stream
    let request = UnsafeMutablePointer<uv_connect_t>.allocate(capacity: 1)
    unsafe request.pointee.data = Unmanaged.passRetained(self).toOpaque()
    // SAFETY: libuv copies the address; the request lives until it calls back, which it also does on closing.
    let code = unsafe stream.withSocket { socket in
      unsafe address.withAddress { address in
        unsafe uv_tcp_connect(request, socket, address) { unsafe TCPAttempt.connected($0, $1) }
      }
    }
    if code < 0 {
      unsafe Unmanaged.passUnretained(self).release()
      unsafe request.deallocate()
      hasFailed(code)
    }
  }

  private static func connected(_ request: UnsafeMutablePointer<uv_connect_t>?, _ status: Int32) {
    guard let request = unsafe request, let data = unsafe request.pointee.data else { return }
    let attempt = unsafe Unmanaged<TCPAttempt>.fromOpaque(data).takeRetainedValue()
    unsafe request.deallocate()
    guard status == 0 else { return attempt.hasFailed(status) }
    guard let stream = attempt.stream else { return }
    attempt.stream = nil
    stream.isConnected()
    attempt.finish(.success(stream))
  }

  private func hasFailed(_ code: Int32) {
    stream?.close(afterWriting: false)
    stream = nil
    tryNext(after: code)
  }
}
