#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Threads of their own, for work that waits and that the task pool must not wait with.
package enum Background {
  /// The work of one thread, which owns it.
  fileprivate final class Work: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Runs `body` on a new thread, which ends with it.
  package static func start(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let context = unsafe Unmanaged.passRetained(Work(body)).toOpaque()
    // SAFETY: the context is the retained object that the thread takes back, as the same type.
    let code = unsafe pthread_create(&thread, nil, run, context)
    guard code == 0 else {
      unsafe Unmanaged<Work>.fromOpaque(context).release()
      throw SystemError("pthread_create", code)
    }
    #if canImport(Darwin)
      if let thread = unsafe thread { unsafe pthread_detach(thread) }
    #else
      pthread_detach(thread)
    #endif
  }
}

#if canImport(Darwin)
  private func run(_ context: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    // SAFETY: `start` passes a retained `Work`.
    unsafe Unmanaged<Background.Work>.fromOpaque(context).takeRetainedValue().body()
    return unsafe nil
  }
#else
  private func run(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context = unsafe context else { return nil }
    // SAFETY: `start` passes a retained `Work`.
    unsafe Unmanaged<Background.Work>.fromOpaque(context).takeRetainedValue().body()
    return nil
  }
#endif
