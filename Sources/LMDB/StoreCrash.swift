import CLMDB
import Glibc
import Synchronization

/// The end of a process that crashes inside a damaged store: words and a status instead of a bare signal.
///
/// LMDB trusts the pages that it maps. Where they are damaged it follows false offsets, and the process ends
/// with SIGSEGV or SIGBUS, or LMDB finds its own assumptions broken and aborts. Nothing can be saved then: no
/// transaction is committed half, so the store stays as it was. A crash anywhere else, also in another
/// thread as long as none is in the store, stays what it is.
package enum StoreCrash {
  /// From now on such a crash prints `words` to standard error and ends the process with `status`.
  ///
  /// Call it once, before other threads are there. Without it a crash is a crash.
  package static func endsProcess(status: Int32, words: StaticString) {
    crashStatus.store(status, ordering: .relaxed)
    // SAFETY: a static string's bytes stay where they are; only their address is kept.
    crashWords.store(unsafe UInt(bitPattern: words.utf8Start), ordering: .relaxed)
    crashWordBytes.store(words.utf8CodeUnitCount, ordering: .releasing)
    // SAFETY: nothing else touches the former actions before the handler is installed.
    unsafe catchSignal(SIGSEGV, former: formerActions)
    unsafe catchSignal(SIGBUS, former: formerActions + 1)
  }

  /// Counts this thread as inside the store until `leave`.
  static func enter() { threadsInside.wrappingAdd(1, ordering: .relaxed) }

  /// Ends what `enter` began.
  static func leave() { threadsInside.wrappingSubtract(1, ordering: .relaxed) }

  /// Has a broken assumption of LMDB end the process as a crash, without LMDB's own words.
  static func watchAssertions(of handle: OpaquePointer) -> CInt {
    // SAFETY: the handle is live, and the function is for the whole process.
    unsafe mdb_env_set_assert(handle) { _, _ in
      endIfWanted()
      abort()
    }
  }

  /// Installs the handler of one signal for the whole process, and keeps the action before it.
  private static func catchSignal(_ signal: Int32, former: UnsafeMutablePointer<sigaction>) {
    var action = sigaction()
    unsafe action.__sigaction_handler.sa_handler = onCrash
    // SAFETY: the action is a whole value of ours, and there is room for the former one.
    let code = unsafe sigaction(signal, &action, former)
    precondition(code == 0, "the action of signal \(signal) can be set, but that gave errno \(errno)")
  }
}

// A signal's handler reaches nothing but globals, and these are the only ones that it needs. All are made
// when the process asks for the handler, so that none is made inside of it.
private let threadsInside = Atomic<Int>(0)
private let crashStatus = Atomic<Int32>(0)
private let crashWords = Atomic<UInt>(0)
private let crashWordBytes = Atomic<Int>(0)
// SAFETY: allocated for the whole process; written before the handler is installed and only read in it.
nonisolated(unsafe) private let formerActions = UnsafeMutablePointer<sigaction>.allocate(capacity: 2)

/// Ends the process with its words if somebody asked for that; calls only what a signal's handler may call.
private func endIfWanted() {
  let count = crashWordBytes.load(ordering: .acquiring)
  guard count > 0 else { return }
  // SAFETY: the address is that of a static string, which lives as long as the process.
  _ = unsafe write(2, UnsafeRawPointer(bitPattern: crashWords.load(ordering: .relaxed)), count)
  _exit(crashStatus.load(ordering: .relaxed))
}

/// Ends the process; outside of the store it returns, and the same fault comes to the former action.
private func onCrash(_ signal: Int32) {
  if threadsInside.load(ordering: .relaxed) > 0 { endIfWanted() }
  // SAFETY: both actions were filled in when the handlers were installed.
  _ = unsafe sigaction(signal, signal == SIGSEGV ? formerActions : formerActions + 1, nil)
}
