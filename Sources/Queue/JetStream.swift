internal import JSON
internal import NATS

/// What of JetStream is used, by the subjects and objects that every server answers: streams that keep work until it is
/// acknowledged, and consumers that hand it out.
struct JetStream: Sendable {
  let connection: NATSConnection

  /// A request to the servers' programming interface.
  /// - Returns: the object that came back.
  private func call(_ subject: String, _ body: JSONValue = .object([])) async throws(NATSError) -> JSONValue {
    let answer = try await connection.request("$JS.API." + subject, body.bytes)
    return try Self.read(answer)
  }

  private static func read(_ answer: NATSConnection.Message) throws(NATSError) -> JSONValue {
    if answer.status == 503 { throw .unreachable("no server answers for JetStream; is it switched on?") }
    let object: JSONValue
    do throws(JSONError) { object = try JSONValue(parsing: answer.bytes) } catch {
      throw .refused("the server does not answer in JSON: \(error)")
    }
    guard let error = object["error"] else { return object }
    let code = error["code"]?.integer ?? 0
    let words = error["description"]?.string ?? "no reason"
    // 503: a leader is being chosen, or a store is full for now.
    throw code == 503 ? .unreachable(words) : .refused(words)
  }

  /// Makes a stream that keeps each message until it is acknowledged; nothing is done where it is there.
  func makeWorkQueue(_ name: String, subject: String, replicas: Int) async throws(NATSError) {
    do throws(NATSError) {
      _ = try await call(
        "STREAM.CREATE.\(name)",
        [
          "name": .string(name), "subjects": [.string(subject)], "retention": "workqueue", "storage": "file",
          "num_replicas": .integer(Int64(replicas)), "max_msgs": -1, "max_bytes": -1, "max_age": 0,
          "max_consumers": -1, "max_msg_size": -1, "discard": "new", "duplicate_window": 120_000_000_000,
        ])
    } catch {
      // It may have been made with another number of servers.
      guard case .refused = error, try await has(name, subject) else { throw error }
    }
  }

  private func has(_ name: String, _ subject: String) async throws(NATSError) -> Bool {
    let found = try await call("STREAM.INFO.\(name)")
    return found["config"]?["subjects"]?.array == [.string(subject)]
  }

  /// Makes the consumer of a stream that hands its messages out, each again when nobody acknowledges it for so long.
  func makeConsumer(_ name: String, of stream: String, waitMilliseconds: Int64) async throws(NATSError) {
    _ = try await call(
      "CONSUMER.DURABLE.CREATE.\(stream).\(name)",
      [
        "stream_name": .string(stream),
        "config": [
          "durable_name": .string(name), "ack_policy": "explicit", "deliver_policy": "all",
          "replay_policy": "instant", "ack_wait": .integer(waitMilliseconds * 1_000_000), "max_deliver": -1,
          "max_ack_pending": 65_536, "max_waiting": 4_096,
        ],
      ])
  }

  /// The names of streams that take these subjects.
  func streams(taking subject: String) async throws(NATSError) -> [String] {
    var names: [String] = []
    while true {
      let page = try await call(
        "STREAM.NAMES", ["subject": .string(subject), "offset": .integer(Int64(names.count))])
      let more = page["streams"]?.array?.compactMap(\.string) ?? []
      names += more
      guard !more.isEmpty, Int64(names.count) < page["total"]?.integer ?? 0 else { return names }
    }
  }

  /// How many messages a stream keeps; `nil` where there is no such stream.
  func count(of stream: String) async throws(NATSError) -> Int64? {
    do throws(NATSError) {
      return try await call("STREAM.INFO.\(stream)")["state"]?["messages"]?.integer ?? 0
    } catch {
      guard case .refused = error else { throw error }
      return nil
    }
  }

  func purge(_ stream: String) async throws(NATSError) { _ = try await call("STREAM.PURGE.\(stream)") }

  func delete(_ stream: String) async throws(NATSError) { _ = try await call("STREAM.DELETE.\(stream)") }

  /// Stores a message. When it returns, the stream has it.
  /// - Parameter id: one that it has already is not stored again.
  func store(_ bytes: [UInt8], as id: String, in subject: String) async throws(NATSError) {
    let answer = try await connection.request(subject, bytes, messageID: id)
    // The stream is gone, or chooses a leader.
    guard answer.status != 503 else { throw .unreachable("no stream takes \(subject)") }
    _ = try Self.read(answer)
  }

  /// A message that a consumer handed out.
  struct Handed: Sendable {
    let bytes: [UInt8]
    /// Where it is acknowledged.
    let reply: String
  }

  /// The next message of a consumer.
  /// - Parameter waitMilliseconds: how long to wait for one; 0 for not at all.
  /// - Returns: `nil` when none came.
  func next(_ consumer: String, of stream: String, waitMilliseconds: Int64) async throws(NATSError)
    -> Handed?
  {
    let body: JSONValue =
      waitMilliseconds > 0
      ? ["batch": 1, "expires": .integer(waitMilliseconds * 1_000_000)] : ["batch": 1, "no_wait": true]
    let answer = try await connection.request(
      "$JS.API.CONSUMER.MSG.NEXT.\(stream).\(consumer)", body.bytes, on: .waits,
      timeoutMilliseconds: waitMilliseconds + NATSConnection.timeoutMilliseconds)
    switch answer.status {
    case nil: break
    case 404, 408: return nil
    case 503: throw .unreachable("no consumer \(consumer) of \(stream) answers")
    case 409: return nil
    case let code?: throw .refused("status \(code) for the next message of \(stream)")
    }
    guard let reply = answer.reply else {
      throw .refused("a message of \(stream) that nobody can acknowledge")
    }
    return Handed(bytes: answer.bytes, reply: reply)
  }

  /// What is said of a message that was handed out.
  enum Word: Sendable {
    /// It is done with.
    case done
    /// Somebody else is to have it, after so long.
    case again(afterMilliseconds: Int64)
    /// It is being worked on.
    case inProgress

    var bytes: [UInt8] {
      switch self {
      case .done: Array("+ACK".utf8)
      case .again(let wait): Array("-NAK {\"delay\": \(wait * 1_000_000)}".utf8)
      case .inProgress: Array("+WPI".utf8)
      }
    }
  }

  func tell(_ word: Word, of message: Handed) async throws(NATSError) {
    try await connection.publish(message.reply, word.bytes)
  }
}

extension JSONValue {
  fileprivate var bytes: [UInt8] {
    if case .object(let members) = self { Array(JSONLine(members).text.utf8) } else { [] }
  }

  fileprivate var integer: Int64? { if case .integer(let number) = self { number } else { nil } }
}
