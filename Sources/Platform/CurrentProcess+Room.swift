import Glibc
import Synchronization

extension CurrentProcess {
  /// Throws unless this process may have so many threads and open files beside those that it has, and may watch
  /// descriptors: it makes them all, and lets go of them.
  ///
  /// The Swift runtime, Dispatch and libuv wait for ever, or crash, where they are refused a thread or a descriptor, so
  /// the program asks for what it can come to need before it needs them.
  package static func checkRoom(threads: Int, descriptors: Int) throws(SystemError) {
    try checkDescriptors(descriptors)
    try Descriptor.checkWatching()
    try checkThreads(threads)
  }

  private static func checkDescriptors(_ count: Int) throws(SystemError) {
    var made: [Descriptor] = []
    defer { for descriptor in made { descriptor.forget() } }
    while made.count < count {
      made.append(Descriptor(try SystemError.check("dup") { fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0) }))
    }
  }

  /// What threads wait for until all are there.
  private final class Gate: Sendable {
    let mutex = Mutex(())

    func pass() { mutex.withLock { _ in } }
  }

  /// Enough for a thread that only passes a gate; the system may set no less aside.
  private static let stackBytes = 65_536

  private static func checkThreads(_ count: Int) throws(SystemError) {
    let gate = Gate()
    var attributes = pthread_attr_t()
    var threads: [pthread_t] = []
    var code: Int32 = 0
    // SAFETY: the attributes are ours, and destroyed once; the gate lives until all threads that have it were joined.
    unsafe pthread_attr_init(&attributes)
    defer { unsafe _ = pthread_attr_destroy(&attributes) }
    unsafe pthread_attr_setstacksize(&attributes, stackBytes)
    gate.mutex.withLock { _ in
      while threads.count < count, code == 0 {
        var thread = pthread_t()
        code = unsafe pthread_create(
          &thread, &attributes,
          { gate in
            if let gate = unsafe gate { unsafe Unmanaged<Gate>.fromOpaque(gate).takeUnretainedValue().pass() }
            return nil
          }, Unmanaged.passUnretained(gate).toOpaque())
        if code == 0 { threads.append(thread) }
      }
    }
    for thread in threads { pthread_join(thread, nil) }
    if code != 0 { throw SystemError("pthread_create", code) }
  }
}
