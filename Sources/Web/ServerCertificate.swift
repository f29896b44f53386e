internal import COpenSSL

/// A certificate with those that vouch for it, and its private key: with what a server speaks TLS. They were found to
/// be of each other when this was made.
@safe package struct ServerCertificate: Sendable {
  /// PEM (RFC 7468), the server's own certificate first.
  private let certificates: [UInt8]
  /// PEM.
  private let key: [UInt8]
  /// From when the server's own certificate holds, and until when, in seconds since 1970.
  package let begin: Int64
  package let end: Int64

  /// Reads what two files hold. Nothing is asked of anybody: not for a passphrase either.
  package init(certificates: [UInt8], key: [UInt8]) throws(ServerCertificateError) {
    self.certificates = certificates
    self.key = key
    let pair = try CertificatePair(certificates, key)
    (begin, end) = try pair.validity()
    // What a context does not take is to be known before there is a server.
    guard let context = unsafe SSL_CTX_new(TLS_server_method()) else { throw .refused(OpenSSLWords.last()) }
    defer { unsafe SSL_CTX_free(context) }
    try unsafe pair.install(into: context)
  }

  /// Has servers of a context show this certificate, and speak TLS 1.2 or newer.
  /// - Parameter context: OpenSSL's, which keeps what it is given.
  /// - Returns: whether it was taken, as it was when this was made.
  func install(into context: OpaquePointer) -> Bool {
    do throws(ServerCertificateError) {
      try unsafe CertificatePair(certificates, key).install(into: context)
      return true
    } catch { return false }
  }
}

/// Why two files are no certificate and its private key.
package enum ServerCertificateError: Error, Hashable, Sendable {
  /// There is no certificate in PEM.
  case noCertificate
  /// The certificate with this number, from 1, cannot be read.
  case badCertificate(Int)
  /// There is no private key in PEM.
  case noKey
  /// The key can only be read with a passphrase.
  case encryptedKey
  /// The key cannot be read.
  case badKey
  /// The key is not that of the first certificate.
  case mismatch
  /// OpenSSL does not take them, in its words.
  case refused(String)
}

/// Certificates and a key as OpenSSL has them.
@safe private final class CertificatePair {
  private var certificates: [OpaquePointer] = unsafe []
  private var key: OpaquePointer?

  init(_ certificates: [UInt8], _ key: [UInt8]) throws(ServerCertificateError) {
    ERR_clear_error()
    try readCertificates(certificates)
    try readKey(key)
    guard unsafe X509_check_private_key(self.certificates[0], self.key) == 1 else { throw .mismatch }
  }

  deinit {
    unsafe certificates.forEach { unsafe X509_free($0) }
    unsafe EVP_PKEY_free(key)
  }

  private func readCertificates(_ bytes: [UInt8]) throws(ServerCertificateError) {
    let isWhole = unsafe PEM.read(bytes) { source in
      // SAFETY: each certificate is this object's until its end.
      while let certificate = unsafe PEM_read_bio_X509(source, nil, nil, nil) {
        unsafe certificates.append(certificate)
      }
      return OpenSSLWords.lastIsNoStartLine
    }
    guard isWhole else { throw unsafe .badCertificate(certificates.count + 1) }
    guard unsafe !certificates.isEmpty else { throw .noCertificate }
    // What is behind them belongs to no error.
    ERR_clear_error()
  }

  private func readKey(_ bytes: [UInt8]) throws(ServerCertificateError) {
    var isEncrypted = false
    let isKey = unsafe PEM.read(bytes) { source in
      // SAFETY: the call, and with it what asks for a passphrase, is over before `isEncrypted` goes.
      unsafe key = unsafe withUnsafeMutablePointer(to: &isEncrypted) { asked in
        unsafe PEM_read_bio_PrivateKey(
          source, nil,
          { _, _, _, asked in
            unsafe asked?.assumingMemoryBound(to: Bool.self).pointee = true
            return -1
          }, asked)
      }
      return unsafe key != nil
    }
    guard !isKey else { return }
    guard !isEncrypted else { throw .encryptedKey }
    throw PEM.mayHoldKey(bytes) ? .badKey : .noKey
  }

  /// From when the first certificate holds, and until when, in seconds since 1970.
  func validity() throws(ServerCertificateError) -> (begin: Int64, end: Int64) {
    let first = unsafe certificates[0]
    guard let begin = unsafe Self.seconds(X509_get0_notBefore(first)),
      let end = unsafe Self.seconds(X509_get0_notAfter(first))
    else { throw .badCertificate(1) }
    return (begin, end)
  }

  private static func seconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int64? {
    guard let time = unsafe time, let epoch = unsafe ASN1_TIME_set(nil, 0) else { return nil }
    defer { unsafe ASN1_STRING_free(epoch) }
    var (days, seconds): (Int32, Int32) = (0, 0)
    // SAFETY: the call reads the two times and fills the two numbers; nothing is kept.
    guard unsafe ASN1_TIME_diff(&days, &seconds, epoch, time) == 1 else { return nil }
    return Int64(days) * 86_400 + Int64(seconds)
  }

  /// Gives a context all of it; the context counts what it uses.
  func install(into context: OpaquePointer) throws(ServerCertificateError) {
    var isTaken = unsafe SSL_CTX_use_certificate(context, certificates[0]) == 1
    unsafe isTaken =
      isTaken
      && certificates.dropFirst().allSatisfy { certificate in
        unsafe SSL_CTX_ctrl(context, SSL_CTRL_CHAIN_CERT, 1, UnsafeMutableRawPointer(certificate)) == 1
      }
    unsafe isTaken =
      isTaken && SSL_CTX_use_PrivateKey(context, key) == 1
      && SSL_CTX_ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(TLS1_2_VERSION), nil) == 1
    guard isTaken else { throw .refused(OpenSSLWords.last()) }
    // A client that asks for new keys without end would have the loop do nothing else.
    unsafe _ = SSL_CTX_set_options(context, parlor_ssl_no_renegotiation)
    // What an earlier call left would be taken for an error of the connection that is served next.
    ERR_clear_error()
  }
}

/// Texts of keys and certificates (RFC 7468).
private enum PEM {
  /// Lends bytes as OpenSSL reads them.
  /// - Returns: what `body` says; `false` where OpenSSL has no room.
  static func read(_ bytes: [UInt8], _ body: (OpaquePointer) -> Bool) -> Bool {
    // One more byte, so that there is an address where there are none.
    unsafe (bytes + [0]).withUnsafeBytes { buffer in
      // SAFETY: the source reads the bytes where they lie, and is gone before they are.
      guard let source = unsafe BIO_new_mem_buf(buffer.baseAddress, Int32(clamping: bytes.count)) else {
        return false
      }
      defer { unsafe _ = BIO_free(source) }
      return unsafe body(source)
    }
  }

  /// Whether a private key begins somewhere.
  static func mayHoldKey(_ bytes: [UInt8]) -> Bool {
    bytes.firstRange(of: Array("PRIVATE KEY-----".utf8)) != nil
  }
}

/// What OpenSSL says of what went wrong last.
private enum OpenSSLWords {
  /// In a few words.
  static func last() -> String {
    guard let words = unsafe ERR_reason_error_string(ERR_peek_last_error()) else {
      return "no reason is given"
    }
    return unsafe String(cString: words)
  }

  /// Whether there was nothing more to read.
  static var lastIsNoStartLine: Bool {
    let code = ERR_peek_last_error()
    return ERR_GET_LIB(code) == ERR_LIB_PEM && ERR_GET_REASON(code) == PEM_R_NO_START_LINE
  }
}
