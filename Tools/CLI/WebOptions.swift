import Network
import Platform
import Terminal
import Web

/// How commands are told what their page and its sockets are served with.
enum WebOptions {
  /// All but where they are, which is each command's own.
  static let definitions: [OptionDefinition] = [
    .value(
      "web-origin", "ORIGIN",
      "Let pages of this origin connect too, such as https://example.org. Others are refused, but for those of the"
        + " server's own address.", repeats: true),
    .value(
      "certificate", "FILE",
      "Speak TLS alone, with this certificate, so that the page is at https:// and its sockets at wss://: PEM, the"
        + " server's own certificate first and those that vouch for it behind.", kind: .file),
    .value(
      "private-key", "FILE", "The private key of that certificate: PEM, without a passphrase.", kind: .file),
  ]

  static let text =
    "With --certificate and --private-key nobody on the way reads or changes what is said, and browsers give the page"
    + " WebCrypto also from other machines. `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes"
    + " -days 365 -subj /CN=parlor -addext subjectAltName=IP:127.0.0.1,IP:192.168.0.7 -keyout key.pem"
    + " -out certificate.pem` makes both. Nobody vouches for such a certificate, so browsers first say that the"
    + " connection is not private, and people have to choose to go on."

  /// The most that a file of certificates, and one of a key, holds.
  private static let limitCertificateBytes = 1 << 20
  private static let limitKeyBytes = 1 << 16

  /// What the page is served with, read and checked before anything is started.
  /// - Parameter text: the address, as `--web` has it.
  static func settings(_ parsed: ParsedCommand, _ context: Context, at text: String) throws -> WebSettings {
    var settings: WebSettings
    do throws(NetworkError) { settings = try WebSettings(text) } catch {
      throw parsed.badValue("web", "sockets are at PORT or HOST:PORT, such as 8181 or 0.0.0.0:8181")
    }
    settings.origins = parsed.texts("web-origin")
    for origin in settings.origins where !OriginRule.isOrigin(origin) {
      throw parsed.badValue("web-origin", "an origin is a scheme and a host, such as https://example.org")
    }
    settings.certificate = try certificate(parsed, context)
    return settings
  }

  /// The certificate that the command line names, read and checked; `nil` for none. What is doubtful about it is said.
  private static func certificate(_ parsed: ParsedCommand, _ context: Context) throws -> ServerCertificate? {
    guard let path = parsed.text("certificate"), let keyPath = parsed.text("private-key") else {
      for (given, missing) in [("certificate", "private-key"), ("private-key", "certificate")]
      where parsed.text(given) != nil {
        throw parsed.badValue(given, "a certificate and its private key go together: give --\(missing) too")
      }
      return nil
    }
    let certificates = try read(path, limitBytes: limitCertificateBytes)
    let key = try read(keyPath, limitBytes: limitKeyBytes)
    let certificate: ServerCertificate
    do throws(ServerCertificateError) {
      certificate = try ServerCertificate(certificates: certificates.bytes, key: key.bytes)
    } catch { throw failure(error, SafeText(path).text, SafeText(keyPath).text) }
    if let words = doubts(certificate) { context.console.note("Warning: \(SafeText(path).text) \(words)") }
    if key.isForEverybody {
      context.console.note(
        "Warning: everybody on this machine can read the private key \(SafeText(keyPath).text): `chmod 600` helps."
      )
    }
    return certificate
  }

  private static func read(_ path: String, limitBytes: Int) throws -> (bytes: [UInt8], isForEverybody: Bool) {
    let file: OpenFile
    do throws(FileError) { file = try OpenFile.reading(path) } catch {
      throw Failure(.noInput, error.description)
    }
    let bytes = try file.readAll(limit: limitBytes + 1)
    guard bytes.count <= limitBytes else {
      throw Failure(.dataError, "\(SafeText(path).text) has more than \(limitBytes) bytes")
    }
    let status = try file.status()
    return (bytes, status.kind == .file && status.mode & 0o004 != 0)
  }

  private static func failure(_ error: ServerCertificateError, _ path: String, _ keyPath: String) -> Failure {
    let (words, hint): (String, String?) =
      switch error {
      case .noCertificate:
        ("\(path) holds no certificate in PEM", "such a file has a line -----BEGIN CERTIFICATE-----")
      case .badCertificate(let number): ("certificate \(number) of \(path) cannot be read", nil)
      case .noKey:
        ("\(keyPath) holds no private key in PEM", "such a file has a line -----BEGIN PRIVATE KEY-----")
      case .encryptedKey:
        (
          "the private key \(keyPath) is encrypted, and nobody is asked for its passphrase",
          "`openssl pkey -in FILE -out NEWFILE` writes it without one"
        )
      case .badKey: ("the private key \(keyPath) cannot be read", nil)
      case .mismatch:
        (
          "the private key \(keyPath) is not that of the certificate \(path)",
          "of several certificates in a file the server's own stands first"
        )
      case .refused(let reason): ("OpenSSL does not take \(path) with \(keyPath): \(reason)", nil)
      }
    return Failure(.dataError, words, hint: hint)
  }

  /// Why browsers will not trust a certificate today, whoever vouches for it.
  private static func doubts(_ certificate: ServerCertificate) -> String? {
    let now = Int64(WallClock.milliseconds() / 1_000)
    let date = { (seconds: Int64) in WallClock.text(milliseconds: UInt64(clamping: seconds) * 1_000) }
    if now > certificate.end { return "has expired, on \(date(certificate.end))." }
    if now < certificate.begin { return "does not hold before \(date(certificate.begin))." }
    return nil
  }
}
