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
  struct Message: Sendable {
    let bytes: [UInt8]
    /// Where an answer goes; with work, where it is acknowledged.
    let reply: String?
    /// The status with which a server answers instead of a message.
    let status: Int?
  }

  /// How long a server is waited for.
  package static let timeoutMilliseconds: Int64 = 5_000

  private static let loading = Guarded(())

  // SAFETY: made in `init`, closed in `deinit`; the library locks it.
  nonisolated(unsafe) private let handle: UnsafeMutableRawPointer
  // SAFETY: as the other. What a consumer hands out comes with the subject of its stream, and not with the inbox of the
  // request, so the library can tell whose it is only where no other request of the connection waits. This connection
  // is for the lane that waits alone.
  nonisolated(unsafe) private let pulling: UnsafeMutableRawPointer
  private let threads = Lane.allCases.map { _ in WorkThread() }

  /// Connects.
  package static func connect(_ settings: QueueSettings, as name: String) async throws(QueueError)
    -> NATSConnection
  {
    let thread = WorkThread()
    let result = await withCheckedContinuation { answer in
      thread.add {
        do throws(QueueError) {
          answer.resume(
            returning: Result<NATSConnection, QueueError>.success(try NATSConnection(settings, as: name)))
        } catch { answer.resume(returning: .failure(error)) }
      }
    }
    return try result.get()
  }

  private init(_ settings: QueueSettings, as name: String) throws(QueueError) {
    try Self.load()
    for file in [settings.credentials, settings.authority, settings.certificate, settings.key].compactMap(
      \.self)
    {
      guard FileSystem.exists(file) else { throw .badFile("the file \(file) is not there") }
    }
    unsafe handle = try Self.open(settings, as: name)
    do throws(QueueError) { unsafe pulling = try Self.open(settings, as: "\(name), pulling") } catch {
      // SAFETY: nobody has it yet.
      unsafe parlor_nats_close(handle)
      throw error
    }
  }

  deinit {
    // SAFETY: whoever calls the library holds this object, so nobody does any more.
    unsafe parlor_nats_close(handle)
    unsafe parlor_nats_close(pulling)
  }

  private static func open(
    _ settings: QueueSettings, as name: String
  ) throws(QueueError) -> UnsafeMutableRawPointer {
    var made: UnsafeMutableRawPointer?
    let code = unsafe connect(settings, as: name, to: &made)
    guard code == 0, let made = unsafe made else { throw error(code, settings.shown) }
    return unsafe made
  }

  /// Whether the library is on this machine.
  package static var isPossible: Bool {
    do throws(QueueError) { try load() } catch { return false }
    return true
  }

  private static func load() throws(QueueError) {
    // SAFETY: the words are the program's own and stay.
    let reason = loading.withLock { _ in unsafe parlor_nats_load().map { unsafe String(cString: $0) } }
    if let reason { throw .noLibrary(reason) }
  }

  private static func connect(
    _ settings: QueueSettings, as name: String, to handle: inout UnsafeMutableRawPointer?
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
      return unsafe parlor_nats_connect(&handle, &all)
    }
  }

  /// What the library's number stands for.
  private static func error(_ code: Int32, _ place: String) -> QueueError {
    // SAFETY: the texts are the library's and stay while this thread calls nothing else of it.
    let text = unsafe String(cString: parlor_nats_text(code))
    let last = unsafe parlor_nats_last_error().map { unsafe String(cString: $0) } ?? ""
    // It begins with a line of the library's own source, and often says the same again.
    let detail = last.firstRange(of: "): ").map { String(last[$0.upperBound...]) } ?? last
    let words = detail.isEmpty || detail == text ? text : "\(text) (\(detail))"
    switch text {
    case "Authentication Failed", "Not Permitted", "SSL Error", "Secure Connection Required",
      "Secure Connection Wanted", "Invalid Argument", "Error":
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
  func request(
    _ subject: String, _ bytes: [UInt8], messageID: String? = nil, on lane: Lane = .calls,
    timeoutMilliseconds: Int64 = timeoutMilliseconds
  ) async throws(QueueError) -> Message {
    let limit = limitBytes
    guard bytes.count <= limit else { throw .tooLong(bytes.count, limit: limit) }
    return try await run(on: lane) { () throws(QueueError) in
      var answer = unsafe parlor_nats_message()
      // SAFETY: the array and the texts live through the call, which reads as many bytes as is said.
      let code = unsafe parlor_nats_request(
        lane == .waits ? self.pulling : self.handle, subject, bytes, Int32(bytes.count), messageID,
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
  func publish(_ subject: String, _ bytes: [UInt8]) async throws(QueueError) {
    try await run(on: .signals) { () throws(QueueError) in
      // SAFETY: the array and the text live through the call, which reads as many bytes as is said.
      var code = unsafe parlor_nats_publish(self.handle, subject, bytes, Int32(bytes.count))
      if code == 0 { code = unsafe parlor_nats_flush(self.handle, Self.timeoutMilliseconds) }
      guard code == 0 else { throw Self.error(code, subject) }
    }
  }

  private func run<Value: Sendable>(
    on lane: Lane, _ body: @escaping @Sendable () throws(QueueError) -> Value
  ) async throws(QueueError) -> Value {
    let result = await withCheckedContinuation { answer in
      threads[lane.rawValue].add {
        do throws(QueueError) {
          answer.resume(returning: Result<Value, QueueError>.success(try body()))
        } catch { answer.resume(returning: .failure(error)) }
      }
    }
    return try result.get()
  }
}
