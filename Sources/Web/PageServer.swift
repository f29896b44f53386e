internal import CWebSockets

/// Gives the page's files to browsers, through the library's connections. To be used on the loop's thread.
@safe final class PageServer {
  private let files = PageFile.all()
  private let rule: OriginRule
  /// What is still to be sent, and how much of it went.
  private var outgoing: [OpaquePointer: (content: [UInt8], sent: Int)] = unsafe [:]

  private static let limitHeadBytes = 2_048
  /// The most that the library is handed at a time.
  private static let limitPieceBytes = 1 << 14

  init(_ rule: OriginRule) { self.rule = rule }

  /// Answers a request: its head goes now, and its content when the library can take it.
  /// - Returns: what the library is told: 0 to go on, -1 to close.
  func answer(_ handle: OpaquePointer, path: String, host: String?, encodings: String?) -> Int32 {
    var method = PageRequest.Method.other
    if unsafe lws_hdr_total_length(handle, WSI_TOKEN_GET_URI) > 0 { method = .get }
    if unsafe lws_hdr_total_length(handle, WSI_TOKEN_HEAD_URI) > 0 { method = .head }
    let hasContent =
      unsafe lws_hdr_total_length(handle, WSI_TOKEN_HTTP_CONTENT_LENGTH) > 0
      || lws_hdr_total_length(handle, WSI_TOKEN_HTTP_TRANSFER_ENCODING) > 0
    let answer = PageRequest(
      method: method, path: path, host: host, hasContent: hasContent,
      takesPacked: Gzip.isAccepted(by: encodings)
    ).answer(files, rule)
    guard unsafe sendHead(answer, handle) else { return -1 }
    guard method != .other, !hasContent else {
      // The connection ends: the library (4.1) goes round for ever over content of a request that comes behind another.
      unsafe _ = send(answer.content[...], isLast: true, handle)
      return -1
    }
    guard method != .head else { return unsafe end(handle) }
    unsafe outgoing[handle] = (answer.content, 0)
    unsafe _ = lws_callback_on_writable(handle)
    return 0
  }

  private func sendHead(_ answer: PageRequest.Answer, _ handle: OpaquePointer) -> Bool {
    var headers = answer.headers
    if answer.status == 405 { headers.append(("allow:", "GET, HEAD")) }
    if answer.endsConnection { headers.append(("connection:", "close")) }
    let room = Int(parlor_lws_pre)
    var bytes = [UInt8](repeating: 0, count: room + Self.limitHeadBytes)
    return unsafe bytes.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return false }
      // SAFETY: the library writes between the two pointers alone, and moves the first.
      let (start, end) = unsafe (base + room, base + buffer.count)
      var next: UnsafeMutablePointer<UInt8>? = unsafe start
      guard unsafe lws_add_http_header_status(handle, answer.status, &next, end) == 0 else { return false }
      for (name, value) in headers {
        let text = Array(value.utf8)
        guard unsafe lws_add_http_header_by_name(handle, name, text, Int32(text.count), &next, end) == 0
        else { return false }
      }
      let count = UInt(answer.content.count)
      return unsafe lws_add_http_header_content_length(handle, lws_filepos_t(count), &next, end) == 0
        && lws_finalize_write_http_header(handle, start, &next, end) == 0
    }
  }

  /// The library can take something.
  func write(_ handle: OpaquePointer) -> Int32 {
    guard let (content, sent) = unsafe outgoing[handle] else { return 0 }
    let piece = content[sent...].prefix(Self.limitPieceBytes)
    let isLast = sent + piece.count == content.count
    guard unsafe send(piece, isLast: isLast, handle) else { return -1 }
    guard !isLast else { return unsafe end(handle) }
    unsafe outgoing[handle] = (content, sent + piece.count)
    unsafe _ = lws_callback_on_writable(handle)
    return 0
  }

  private func send(_ piece: ArraySlice<UInt8>, isLast: Bool, _ handle: OpaquePointer) -> Bool {
    let room = Int(parlor_lws_pre)
    var bytes = [UInt8](repeating: 0, count: room) + piece
    return unsafe bytes.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return false }
      let kind = isLast ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP
      // SAFETY: the library may write its own into the room before the content.
      return unsafe lws_write(handle, base + room, piece.count, kind) >= 0
    }
  }

  /// A request is answered; another one may come.
  private func end(_ handle: OpaquePointer) -> Int32 {
    unsafe outgoing[handle] = nil
    return unsafe lws_http_transaction_completed(handle) != 0 ? -1 : 0
  }

  /// A connection is gone.
  func forget(_ handle: OpaquePointer) { unsafe outgoing[handle] = nil }
}
