/// What a stream tells its owner, on the loop's thread.
package enum StreamEvent: Sendable {
  /// These bytes came.
  case received([UInt8])
  /// Everything that was written has been handed to the system.
  case drained
  /// The stream is over: nothing more comes, and nothing that is written goes.
  case ended
}

/// One end of a connection that carries bytes in order. To be used on its loop's thread; its owner closes it.
package protocol ByteStream: AnyObject {
  /// Who is at the other end, as far as the network knows.
  var remote: Address { get }
  /// How many bytes were written and not yet handed to the system.
  var queuedBytes: Int { get }
  /// Begins to read, and from now on tells what happens.
  func start(_ receive: @escaping (StreamEvent) -> Void)
  /// Whether bytes are read; while they are not, the other end has to wait in the end.
  func setReading(_ isReading: Bool)
  /// Sends bytes, behind those before.
  func write(_ bytes: [UInt8])
  /// Ends the stream, after what was written has gone or at once. Tells nothing more.
  func close(afterWriting: Bool)
}

/// What waits for connections.
package protocol Listener: AnyObject {
  /// Where it listens, with the port that the system chose.
  var address: Address { get }
  func close()
}

/// A connection that is being made.
package protocol ConnectionAttempt: AnyObject {
  /// Gives it up; its owner hears nothing more of it.
  func cancel()
}

/// A way in which streams come about: over TCP, or inside the process. Everything happens on the loop's thread.
package protocol Transport: Sendable {
  var loop: EventLoop { get }
  /// Whether this is the way to an address.
  func serves(_ address: Address) -> Bool
  /// Waits for connections.
  /// - Parameter address: port 0 lets the system choose.
  func listen(
    on address: Address, _ accept: @escaping (any ByteStream) -> Void
  ) throws(NetworkError) -> any Listener
  /// Connects, and calls once with the stream or why there is none; not before this returns.
  func connect(
    to address: Address, _ done: @escaping (Result<any ByteStream, NetworkError>) -> Void
  ) -> any ConnectionAttempt
}
