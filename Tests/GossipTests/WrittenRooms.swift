import EventLog
import Events

extension RoomLog {
  /// A room of one author: its `create` and then chat, so many events, each with a signature.
  static func chat(_ count: UInt64) throws -> RoomLog {
    let (key, hasher) = (SigningKey(seed: [UInt8](repeating: 1, count: 32)), EventHasher(network: .standard))
    let create = Create(
      rules: "tic-tac-toe", rulesVersion: 1, parameters: [], seats: 2,
      nonce: [UInt8](repeating: 1, count: 16), profile: Profile(name: "host"))
    var event = try Event.author(
      .create(create), room: .none, author: key.peer, sequence: 1, previous: .none, parents: [], wallTime: 0,
      hasher: hasher)
    var log = RoomLog(room: event.id)
    try log.append(event, signature: key.sign(event.id))
    for sequence in 2...count {
      event = try Event.author(
        .chat("x"), room: log.room, author: key.peer, sequence: sequence, previous: event.id, parents: [],
        wallTime: 0, hasher: hasher)
      try log.append(event, signature: key.sign(event.id))
    }
    return log
  }
}
