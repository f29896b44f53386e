import Glibc

/// Threads of their own, for work that waits and that the task pool must not wait with.
package enum Background {
  /// The work of one thread, which owns it.
  private final class Work: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Runs `body` on a new thread, which ends with it.
  /// - Returns: the thread's number.
  @discardableResult
  package static func start(_ body: @escaping @Sendable () -> Void) throws(SystemError) -> UInt {
    var thread = pthread_t()
    let context = unsafe Unmanaged.passRetained(Work(body)).toOpaque()
    // SAFETY: the context is the retained object that the thread takes back, as the same type.
    let code = unsafe pthread_create(
      &thread, nil,
      { context in
        guard let context = unsafe context else { return nil }
        unsafe Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body()
        return nil
      }, context)
    guard code == 0 else {
      unsafe Unmanaged<Work>.fromOpaque(context).release()
      throw SystemError("pthread_create", code)
    }
    pthread_detach(thread)
    return UInt(thread)
  }
}
