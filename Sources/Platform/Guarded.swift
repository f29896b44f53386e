import Glibc

/// A value behind a POSIX mutex.
///
/// `Synchronization.Mutex` would do, but when threads contend on Linux the kernel hands it over unseen by the
/// thread sanitizer, which then reports races that are none.
@safe
package final class Guarded<Value: Sendable>: Sendable {
  // SAFETY: allocated and initialized in `init`, freed in `deinit` only.
  nonisolated(unsafe) private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  // SAFETY: touched only between lock and unlock.
  nonisolated(unsafe) private var value: Value

  /// Guards this value.
  package init(_ value: Value) {
    unsafe self.value = value
    unsafe mutex.initialize(to: pthread_mutex_t())
    let code = unsafe pthread_mutex_init(mutex, nil)
    precondition(code == 0, "a mutex without attributes cannot fail to be made, but gave \(code)")
  }

  deinit {
    // SAFETY: nobody holds the mutex when the last reference is gone.
    unsafe pthread_mutex_destroy(mutex)
    unsafe mutex.deallocate()
  }

  /// Calls `body` while no other thread is in here; it must not come back here.
  package func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // SAFETY: the mutex is initialized and unlocked by the thread that locked it.
    let code = unsafe pthread_mutex_lock(mutex)
    precondition(code == 0, "a mutex that no thread locks twice cannot refuse, but gave \(code)")
    defer { _ = unsafe pthread_mutex_unlock(mutex) }
    return try unsafe body(&value)
  }
}
