import Glibc

/// What this process is to the system.
package enum CurrentProcess {
  /// The value of an environment variable, if it is set and is UTF-8.
  package static func variable(_ name: String) -> String? {
    // SAFETY: nothing in this program sets variables, so the text does not move while it is copied.
    guard let text = unsafe getenv(name) else { return nil }
    return unsafe String(validatingCString: text)
  }

  /// Whether an environment variable is set to what is not UTF-8.
  package static func isUnreadable(_ name: String) -> Bool {
    // SAFETY: as above.
    guard let text = unsafe getenv(name) else { return false }
    return unsafe String(validatingCString: text) == nil
  }

  /// The number of the first word of the command line that is not UTF-8, from 1; `nil` where all are.
  package static var unreadableWord: Int? {
    // SAFETY: the texts and the list of them stay where they are as long as the process lives.
    (1..<max(1, Int(CommandLine.argc))).first { at in
      guard let word = unsafe CommandLine.unsafeArgv[at] else { return false }
      return unsafe String(validatingCString: word) == nil
    }
  }

  /// The name of the user for whom it acts, as the system lists users; `nil` where it lists none, or in no UTF-8.
  package static var userName: String? {
    var entry = unsafe passwd()
    var found: UnsafeMutablePointer<passwd>?
    var texts = [CChar](repeating: 0, count: 16_384)
    // SAFETY: the call fills `entry`, whose texts lie in `texts`, which does not move before the name is copied.
    return unsafe texts.withUnsafeMutableBufferPointer { texts in
      guard let place = texts.baseAddress else { return nil }
      let status = unsafe getpwuid_r(geteuid(), &entry, place, texts.count, &found)
      guard status == 0, unsafe found != nil, let name = unsafe entry.pw_name else { return nil }
      return unsafe String(validatingCString: name)
    }
  }

  /// Its number.
  package static var id: Int32 { getpid() }

  /// The number of the running thread.
  package static var thread: UInt { UInt(pthread_self()) }

  /// Lets this process have as many descriptors open as the system allows it; where that cannot be done it goes on with
  /// those that it may have.
  /// - Returns: how many there may be.
  @discardableResult package static func raiseDescriptorLimit() -> Int {
    var limit = rlimit()
    // SAFETY: both calls use the structure that they are lent, during the call only.
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1_024 }
    let before = limit.rlim_cur
    limit.rlim_cur = limit.rlim_max
    let isRaised = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
    return Int(clamping: isRaised ? limit.rlim_max : before)
  }

  /// Has other threads go first.
  package static func yield() { sched_yield() }

  /// Processors of this machine that are online, at least one.
  package static var processors: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  /// What the system calls the time since it was started, which is never the same again; empty when it does not say.
  package static var bootName: String {
    do throws(SystemError) {
      let bytes = try OpenFile("/proc/sys/kernel/random/boot_id").readAll(limit: 64)
      return String(decoding: bytes.prefix { $0 > 0x20 }, as: UTF8.self)
    } catch { return "" }
  }
}
