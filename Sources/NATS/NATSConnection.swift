internal import CNATS
import Glibc
internal import Platform

/// A connection to servers of NATS, which is made again whenever it breaks.
///
/// The library's calls block. They are made on threads of this connection's own, one for each lane, and never on
/// Swift's pool.
@safe
package final class NATSConnection: Sendable {
  /// Calls of one lane are made one after the other; a lane does not wait for another.
  package enum Lane: Int, CaseIterable, Sendable {
    /// Short calls that are answered at once.
    case calls
    /// Calls that wait for something to come.
    case waits
    /// Messages that nobody answers.
    case signals
  }

  /// A message that came.
  package struct Message: Sendable {
    package let bytes: [UInt8]
    /// Where an answer goes; with work, where it is acknowledged.
    package let reply: String?
    /// The status with which a server answers instead of a message.
    package let status: Int?
  }

  /// How long a server is waited for.
  package static let timeoutMilliseconds: Int64 = 5_000

  /// How often a server that refuses credentials is asked. The library (3.4.1) leaves out the signature that they are
  /// for in about one call of 300.
  private static let limitCalls = 4
  private static let refusal = "Authentication Violation"

  private static let loading = Guarded(())

  // SAFETY: made in `init`, closed in `deinit`; the library locks it.
  nonisolated(unsafe) let handle: UnsafeMutableRawPointer
  // SAFETY: as the other. What a consumer hands out comes with the subject of its stream, and not with the inbox of the
  // request, so the library can tell whose it is only where no other request of the connection waits. This connection
  // is for the lane that waits alone, where there is such a lane.
  nonisolated(unsafe) private let pulling: UnsafeMutableRawPointer?
  private let threads = Lane.allCases.map { _ in WorkThread() }

  /// Connects.
  /// - Parameter pulls: whether there are requests on the lane that waits.
  package static func connect(
    _ settings: NATSSettings, as name: String, pulls: Bool = true
  ) async throws(NATSError) -> NATSConnection {
    let thread = WorkThread()
    let result = await withCheckedContinuation { answer in
      thread.add {
        do throws(NATSError) {
          answer.resume(
            returning: Result<NATSConnection, NATSError>.success(
              try NATSConnection(settings, as: name, pulls: pulls)))
        } catch { answer.resume(returning: .failure(error)) }
      }
    }
    return try result.get()
  }

  private init(_ settings: NATSSettings, as name: String, pulls: Bool) throws(NATSError) {
    try Self.load()
    for file in [settings.credentials, settings.authority, settings.certificate, settings.key].compactMap(
      \.self)
    {
      guard FileSystem.exists(file) else { throw .badFile("the file \(file) is not there") }
    }
    unsafe handle = try Self.open(settings, as: name)
    do throws(NATSError) {
      unsafe pulling = pulls ? try Self.open(settings, as: "\(name), pulling") : nil
    } catch {
      // SAFETY: nobody has it yet.
      unsafe parlor_nats_close(handle)
      throw error
    }
  }

  deinit {
    // SAFETY: whoever calls the library holds this object, so nobody does any more.
    unsafe parlor_nats_close(handle)
    if let pulling = unsafe pulling { unsafe parlor_nats_close(pulling) }
  }

  private static func open(
    _ settings: NATSSettings, as name: String
  ) throws(NATSError) -> UnsafeMutableRawPointer {
    var made: UnsafeMutableRawPointer?
    let code = unsafe connect(settings, as: name, to: &made)
    guard code == 0, let made = unsafe made else { throw error(code, settings.shown) }
    return unsafe made
  }

  /// Whether the library is on this machine.
  package static var isPossible: Bool {
    do throws(NATSError) { try load() } catch { return false }
    return true
  }

  private static func load() throws(NATSError) {
    // SAFETY: the words are the program's own and stay.
    let reason = loading.withLock { _ in unsafe parlor_nats_load().map { unsafe String(cString: $0) } }
    if let reason { throw .noLibrary(reason) }
  }

  private static func connect(
    _ settings: NATSSettings, as name: String, to handle: inout UnsafeMutableRawPointer?
  ) -> Int32 {
    let texts = [settings.credentials, settings.authority, settings.certificate, settings.key]
    let given = (settings.servers + [name]).map { $0 as String? } + texts
    let owned = unsafe given.map { text in unsafe text.flatMap { unsafe strdup($0) } }
    defer { unsafe owned.forEach { unsafe free($0) } }
    let count = settings.servers.count
    let servers = unsafe owned[..<count].map { unsafe UnsafePointer($0) }
    guard let name = unsafe owned[count] else { preconditionFailure("the system gave no memory for a name") }
    return unsafe servers.withUnsafeBufferPointer { servers in
      // SAFETY: there is at least one server. The texts live until this returns, and the library copies them.
      guard let base = servers.baseAddress else { return 1 }
      var all = unsafe parlor_nats_settings(
        servers: base, server_count: Int32(count), is_secure: settings.isSecure,
        credentials: owned[count + 1], authority: owned[count + 2], certificate: owned[count + 3],
        key: owned[count + 4], name: name,
        timeout: timeoutMilliseconds)
      var code = unsafe parlor_nats_connect(&handle, &all)
      for _ in 1..<limitCalls where settings.credentials != nil && text(code) == refusal {
        code = unsafe parlor_nats_connect(&handle, &all)
      }
      return code
    }
  }

  /// The library's words for its number.
  static func text(_ code: Int32) -> String {
    // SAFETY: the library keeps them for ever.
    unsafe String(cString: parlor_nats_text(code))
  }

  /// What the library's number stands for.
  static func error(_ code: Int32, _ place: String) -> NATSError {
    // SAFETY: the words are the library's and stay while this thread calls nothing else of it.
    let text = text(code)
    let last = unsafe parlor_nats_last_error().map { unsafe String(cString: $0) } ?? ""
    // It begins with a line of the library's own source, and often says the same again.
    let detail = last.firstRange(of: "): ").map { String(last[$0.upperBound...]) } ?? last
    let words = detail.isEmpty || detail == text ? text : "\(text) (\(detail))"
    switch text {
    case refusal, "Not Permitted", "SSL Error", "Secure Connection Required",
      "Secure Connection not available", "Invalid Argument", "Error":
      return .refused("\(place): \(words)")
    default: return .unreachable("\(place): \(words)")
    }
  }

  // MARK: - Messages

  /// The most bytes of a message that the server takes.
  package var limitBytes: Int {
    // SAFETY: the connection is open while `self` lives.
    unsafe Int(clamping: parlor_nats_limit(handle))
  }

  /// Sends a request and waits for one answer.
  package func request(
    _ subject: String, _ bytes: [UInt8], messageID: String? = nil, on lane: Lane = .calls,
    timeoutMilliseconds: Int64 = timeoutMilliseconds
  ) async throws(NATSError) -> Message {
    let limit = limitBytes
    guard bytes.count <= limit else { throw .tooLong(bytes.count, limit: limit) }
    return try await run(on: lane) { () throws(NATSError) in
      var answer = unsafe parlor_nats_message()
      guard let handle = unsafe lane == .waits ? self.pulling : self.handle else {
        preconditionFailure("a connection that does not pull was asked to wait")
      }
      // SAFETY: the array and the texts live through the call, which reads as many bytes as is said.
      let code = unsafe parlor_nats_request(
        handle, subject, bytes, Int32(bytes.count), messageID,
        timeoutMilliseconds, &answer)
      guard code == 0 else { throw Self.error(code, subject) }
      // SAFETY: what the answer points to lives until it is freed.
      defer { unsafe parlor_nats_free(&answer) }
      let data = unsafe UnsafeRawBufferPointer(start: answer.data, count: Int(answer.length))
      return unsafe Message(
        bytes: Array(data), reply: answer.reply.map { unsafe String(cString: $0) },
        status: answer.status.flatMap { unsafe Int(String(cString: $0)) })
    }
  }

  /// Sends a message that nobody answers; when it returns, a server has it.
  package func publish(_ subject: String, _ bytes: [UInt8]) async throws(NATSError) {
    try await run(on: .signals) { () throws(NATSError) in
      // SAFETY: the array and the text live through the call, which reads as many bytes as is said.
      var code = unsafe parlor_nats_publish(self.handle, subject, bytes, Int32(bytes.count))
      if code == 0 { code = unsafe parlor_nats_flush(self.handle, Self.timeoutMilliseconds) }
      guard code == 0 else { throw Self.error(code, subject) }
    }
  }

  /// Sends a message that nobody answers, behind those before; what cannot be sent is lost.
  package func send(_ subject: String, _ bytes: [UInt8]) {
    threads[Lane.signals.rawValue].add {
      // SAFETY: as for `publish`.
      unsafe _ = parlor_nats_publish(self.handle, subject, bytes, Int32(bytes.count))
    }
  }

  /// Waits until a server has what was sent before, or for so long.
  package func flush(timeoutMilliseconds: Int64) async {
    await withCheckedContinuation { done in
      threads[Lane.signals.rawValue].add {
        // SAFETY: the connection is open while `self` lives. What did not get there is lost, as what is sent may be.
        unsafe _ = parlor_nats_flush(self.handle, timeoutMilliseconds)
        done.resume()
      }
    }
  }

  private func run<Value: Sendable>(
    on lane: Lane, _ body: @escaping @Sendable () throws(NATSError) -> Value
  ) async throws(NATSError) -> Value {
    let result = await withCheckedContinuation { answer in
      threads[lane.rawValue].add {
        do throws(NATSError) {
          answer.resume(returning: Result<Value, NATSError>.success(try body()))
        } catch { answer.resume(returning: .failure(error)) }
      }
    }
    return try result.get()
  }
}
