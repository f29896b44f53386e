internal import CWebSockets
internal import Network
internal import Platform

/// A server of WebSockets (RFC 6455), and of the page that speaks through them, that waits on a peer's own loop. To be
/// used on the loop's thread.
///
/// The library reads HTTP and frames; this accepts connections for it, and gives whole text messages, each within its
/// limit. It keeps itself until it is closed and the library has let go of it.
@safe final class WebServer {
  /// The path of the sockets.
  static let path = "/game"

  private let loop: EventLoop
  private let settings: WebSettings
  private let tell: (WebSocket.Event) -> Void
  /// One for requests, one for each sub-protocol, and an empty one as the end.
  private static let slots = 2 + WebSocket.Subprotocol.allCases.count
  /// Descriptors for the listener, the library's own, and clients who are told that there is no place.
  private static let spareDescriptors = 64

  /// The most that the system is handed at a time of what goes to a socket.
  private static let limitPieceBytes = 1 << 16

  /// What the library reads as long as it lives.
  private var protocols = UnsafeMutablePointer<lws_protocols>.allocate(capacity: WebServer.slots)
  private var names: [UnsafeMutablePointer<CChar>] = unsafe []
  private var silence = UnsafeMutablePointer<lws_retry_bo>.allocate(capacity: 1)
  private var loops = UnsafeMutablePointer<UnsafeMutableRawPointer?>.allocate(capacity: 1)
  private var context = UnsafeMutablePointer<OpaquePointer?>.allocate(capacity: 1)
  private var sockets: [OpaquePointer: WebSocket] = unsafe [:]
  /// Where connections come from, also those that have not asked for anything.
  private var origins: [OpaquePointer: String] = unsafe [:]
  private var sources: SourceCounts
  private let page: PageServer
  private var lastNumber = 0
  private var isClosed = false
  /// What waits for connections: where the library did, it would say nothing of a port that it cannot have.
  private var listener: (any Listener)?
  /// Where it waits.
  private(set) var address: Address

  /// Begins to wait for clients.
  init(_ settings: WebSettings, _ loop: EventLoop, _ tell: @escaping (WebSocket.Event) -> Void)
    throws(NetworkError)
  {
    self.loop = loop
    self.settings = settings
    self.tell = tell
    sources = SourceCounts(limit: settings.limitSocketsPerSource)
    page = PageServer(OriginRule(settings.origins, isSecure: settings.certificate != nil))
    address = settings.address
    unsafe protocols.initialize(repeating: lws_protocols(), count: Self.slots)
    unsafe silence.initialize(to: lws_retry_bo())
    unsafe loops.initialize(to: loop.foreignLoop)
    unsafe context.initialize(to: nil)
    unsafe silence.pointee.secs_since_valid_ping = settings.silenceSeconds
    unsafe silence.pointee.secs_since_valid_hangup = settings.limitSilenceSeconds
    lws_set_log_level(0, nil)
    for (slot, word) in (["http"] + WebSocket.Subprotocol.allCases.map(\.rawValue)).enumerated() {
      unsafe protocols[slot].name = UnsafePointer(name(word))
      unsafe protocols[slot].callback = answer
      unsafe protocols[slot].rx_buffer_size = settings.limitMessageBytes
      // Else the library would hand the system as little at a time as it reads, and go around the loop for each piece.
      unsafe protocols[slot].tx_packet_size = Self.limitPieceBytes
    }
    let listener = try TCPTransport(loop).listen(on: settings.address, handingOver: adopt)
    address = listener.address
    var info = unsafe lws_context_creation_info()
    unsafe info.port = CONTEXT_PORT_NO_LISTEN_SERVER
    unsafe info.protocols = UnsafePointer(protocols)
    unsafe info.options = parlor_lws_options
    unsafe info.foreign_loops = loops
    unsafe info.retry_and_idle_policy = UnsafePointer(silence)
    unsafe info.pcontext = context
    unsafe (info.gid, info.uid) = (-1, -1)
    unsafe info.fd_limit_per_thread = UInt32(settings.limitSockets + Self.spareDescriptors)
    if !address.host.contains(":") { unsafe info.options |= parlor_lws_fourth_version_alone }
    if settings.certificate != nil {
      unsafe info.options |= parlor_lws_tls
      // Else browsers would come by HTTP/2, whose requests have other headers.
      unsafe info.alpn = UnsafePointer(name("http/1.1"))
    }
    // SAFETY: everything that the library is given lives until it has let go of it; so does this object.
    unsafe info.user = Unmanaged.passRetained(self).toOpaque()
    guard let made = unsafe lws_create_context(&info) else {
      // The library may still look at what it was given, while the loop closes what it had opened.
      isClosed = true
      listener.close()
      throw .system("cannot wait for sockets at \(address)", "the library for sockets does not start")
    }
    unsafe context.pointee = made
    self.listener = listener
  }

  deinit {
    unsafe protocols.deallocate()
    unsafe silence.deallocate()
    unsafe loops.deallocate()
    unsafe context.deallocate()
    unsafe names.forEach { unsafe $0.deallocate() }
  }

  /// A copy of a word that lives as long as this.
  private func name(_ word: String) -> UnsafeMutablePointer<CChar> {
    let bytes = Array(word.utf8CString)
    let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
    unsafe copy.initialize(from: bytes, count: bytes.count)
    unsafe names.append(copy)
    return unsafe copy
  }

  /// Closes all sockets and waits for none any more.
  func close() {
    guard !isClosed, let made = unsafe context.pointee else { return }
    isClosed = true
    listener?.close()
    listener = nil
    unsafe lws_context_destroy(made)
    awaitEnd()
  }

  /// The library closes what it has on the loop, and says so by clearing `context`.
  private func awaitEnd() {
    loop.later { [self] in
      if unsafe context.pointee == nil {
        unsafe Unmanaged.passUnretained(self).release()
      } else {
        awaitEnd()
      }
    }
  }

  /// Gives a connection to the library, which closes what it does not take.
  private func adopt(_ descriptor: Int32) {
    guard !isClosed, let made = unsafe context.pointee else { return Descriptor(descriptor).forget() }
    unsafe _ = lws_adopt_socket(made, descriptor)
  }

  // MARK: - What the library says

  /// The library asks for what its TLS is to show of this server.
  /// - Returns: whether there is something.
  fileprivate func secure(_ context: UnsafeMutableRawPointer?) -> Bool {
    guard let context = unsafe context, let certificate = settings.certificate else { return false }
    return unsafe certificate.install(into: OpaquePointer(context))
  }

  /// A connection has come.
  /// - Returns: whether it may stay, at least until it is told that there are too many.
  fileprivate func connected(_ handle: OpaquePointer) -> Bool {
    var text = [CChar](repeating: 0, count: 64)
    unsafe _ = lws_get_peer_simple(handle, &text, text.count)
    let source = unsafe text.withUnsafeBytes { unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    unsafe origins[handle] = source
    return sources.add(source)
  }

  fileprivate func disconnected(_ handle: OpaquePointer) {
    if let source = unsafe origins.removeValue(forKey: handle) { sources.remove(source) }
    unsafe page.forget(handle)
  }

  /// A request that is none for a socket.
  fileprivate func requested(_ handle: OpaquePointer, path: String) -> Int32 {
    guard let source = unsafe origins[handle], sources.isWithinLimit(source) else {
      let answer = Refusal.source.answer
      return unsafe refuse(handle, answer.status, answer.words)
    }
    return unsafe page.answer(
      handle, path: path, host: header(handle, WSI_TOKEN_HOST),
      encodings: header(handle, WSI_TOKEN_HTTP_ACCEPT_ENCODING))
  }

  fileprivate func canSend(_ handle: OpaquePointer) -> Int32 { unsafe page.write(handle) }

  /// Why a request for a socket is refused; `nil` when it is not.
  fileprivate func refusal(of handle: OpaquePointer) -> Refusal? {
    let offered = unsafe header(handle, WSI_TOKEN_PROTOCOL) ?? ""
    let names = offered.split(separator: ",").map { String($0.drop { $0 == " " }) }
    guard unsafe header(handle, WSI_TOKEN_GET_URI) == Self.path,
      names.contains(where: { WebSocket.Subprotocol(rawValue: $0) != nil })
    else { return .notForUs }
    let rule = OriginRule(settings.origins, isSecure: settings.certificate != nil)
    let (origin, host) = unsafe (header(handle, WSI_TOKEN_ORIGIN), header(handle, WSI_TOKEN_HOST))
    guard rule.allows(origin, host: host) else { return .origin }
    guard unsafe sockets.count < settings.limitSockets else { return .full }
    guard let source = unsafe origins[handle], sources.isWithinLimit(source) else { return .source }
    return nil
  }

  fileprivate func opened(_ handle: OpaquePointer) -> Bool {
    guard let name = unsafe lws_get_protocol(handle)?.pointee.name,
      let subprotocol = WebSocket.Subprotocol(rawValue: unsafe String(cString: name))
    else { return false }
    lastNumber += 1
    let address = unsafe origins[handle] ?? ""
    let wire = unsafe LibraryWire(handle)
    let socket = WebSocket(wire, subprotocol, number: lastNumber, address: address, settings, loop) {
      unsafe self.part(handle)
    }
    unsafe sockets[handle] = socket
    if !isClosed { tell(.opened(socket)) }
    return true
  }

  /// A socket is to be closed: its client is gone, however long it takes to hear why. Whoever closes it goes on first.
  private func part(_ handle: OpaquePointer) {
    guard let socket = unsafe sockets[handle] else { return }
    loop.later { if !self.isClosed { self.tell(.closed(socket)) } }
  }

  fileprivate func received(_ handle: OpaquePointer, _ piece: UnsafeRawBufferPointer) {
    guard !isClosed, let socket = unsafe sockets[handle] else { return }
    guard unsafe lws_frame_is_binary(handle) == 0 || socket.subprotocol.takesBinary else {
      return socket.close(.unsupported, "messages are text, and this one is binary")
    }
    let isLast = unsafe lws_is_final_fragment(handle) != 0 && lws_remaining_packet_payload(handle) == 0
    if let message = unsafe socket.take(piece, isLast: isLast) {
      tell(.received(socket, message))
    }
  }

  fileprivate func writable(_ handle: OpaquePointer) -> Int32 {
    guard !isClosed, let socket = unsafe sockets[handle] else { return 0 }
    return socket.write() ? 0 : -1
  }

  fileprivate func closed(_ handle: OpaquePointer) {
    guard let socket = unsafe sockets.removeValue(forKey: handle) else { return }
    socket.noteClosed()
    if !isClosed { tell(.closed(socket)) }
  }
}

/// Why a request for a socket is refused.
private enum Refusal {
  case notForUs
  case origin
  case full
  case source

  /// The status of HTTP, and the words.
  var answer: (status: UInt32, words: String) {
    switch self {
    case .notForUs:
      let names = WebSocket.Subprotocol.allCases.map(\.rawValue).joined(separator: " or ")
      return (400, "Sockets are at \(WebServer.path), with the sub-protocol \(names).")
    case .origin: return (403, "Pages of this origin may not connect: see --web-origin.")
    case .full: return (503, "There are as many sockets as this server takes: try again later.")
    case .source: return (429, "There are too many sockets from this address: close some.")
    }
  }
}

/// The text of a header of a request; `nil` where it has none, and empty for a longer one than any that is right.
private func header(_ handle: OpaquePointer, _ token: lws_token_indexes) -> String? {
  var text = [CChar](repeating: 0, count: 256)
  guard unsafe lws_hdr_total_length(handle, token) > 0 else { return nil }
  let count = unsafe lws_hdr_copy(handle, &text, Int32(text.count), token)
  guard count > 0, Int(count) < text.count else { return "" }
  return String(decoding: text.prefix(Int(count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

/// Answers a request in words, and ends its connection.
private func refuse(_ handle: OpaquePointer, _ status: UInt32, _ words: String) -> Int32 {
  unsafe _ = lws_return_http_status(handle, status, words)
  return -1
}

/// What the library calls for everything that happens.
private func answer(
  _ handle: OpaquePointer?, _ reason: lws_callback_reasons, _ user: UnsafeMutableRawPointer?,
  _ data: UnsafeMutableRawPointer?, _ count: Int
) -> Int32 {
  guard let handle = unsafe handle, let context = unsafe lws_get_context(handle),
    let owner = unsafe lws_context_user(context)
  else { return 0 }
  // SAFETY: the context's user is its server, which lives longer than the context.
  let server = unsafe Unmanaged<WebServer>.fromOpaque(owner).takeUnretainedValue()
  switch reason {
  case LWS_CALLBACK_OPENSSL_LOAD_EXTRA_SERVER_VERIFY_CERTS: return unsafe server.secure(user) ? 0 : -1
  case LWS_CALLBACK_SERVER_NEW_CLIENT_INSTANTIATED: return unsafe server.connected(handle) ? 0 : -1
  case LWS_CALLBACK_WSI_DESTROY: unsafe server.disconnected(handle)
  case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
    guard let refusal = unsafe server.refusal(of: handle) else { return 0 }
    unsafe _ = lws_return_http_status(handle, refusal.answer.status, refusal.answer.words)
    return 1
  case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION: return unsafe server.refusal(of: handle) == nil ? 0 : 1
  case LWS_CALLBACK_HTTP:
    let path = unsafe UnsafeRawBufferPointer(start: data, count: count)
    return unsafe server.requested(handle, path: String(decoding: path, as: UTF8.self))
  case LWS_CALLBACK_HTTP_WRITEABLE: return unsafe server.canSend(handle)
  case LWS_CALLBACK_ESTABLISHED: return unsafe server.opened(handle) ? 0 : -1
  case LWS_CALLBACK_RECEIVE:
    unsafe server.received(handle, UnsafeRawBufferPointer(start: data, count: count))
  case LWS_CALLBACK_SERVER_WRITEABLE: return unsafe server.writable(handle)
  case LWS_CALLBACK_CLOSED: unsafe server.closed(handle)
  default: break
  }
  return 0
}
