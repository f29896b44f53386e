internal import CAvahi
import Glibc
internal import Network
internal import Platform

/// The library's thread and its loop, in which each packet is checked before the library reads it.
///
/// The library asks a table of functions to watch its sockets. Ours hands on what it asks for, and looks at each
/// packet while it still waits in the socket; what may not pass is taken out.
@safe final class CheckedPoll {
  /// A socket of the library.
  @safe private final class Watched {
    unowned let poll: CheckedPoll
    let callback: AvahiWatchCallback
    let context: UnsafeMutableRawPointer?

    init(_ poll: CheckedPoll, _ callback: AvahiWatchCallback, _ context: UnsafeMutableRawPointer?) {
      self.poll = poll
      unsafe self.callback = callback
      unsafe self.context = context
    }
  }

  /// Something to be done later.
  private final class Timer {
    unowned let poll: CheckedPoll
    let body: () -> Void

    init(_ poll: CheckedPoll, _ body: @escaping () -> Void) {
      self.poll = poll
      self.body = body
    }
  }

  /// The library's thread.
  let thread: OpaquePointer
  /// What the library is given.
  let functions: UnsafeMutablePointer<AvahiPoll>
  private let original: UnsafePointer<AvahiPoll>
  private var watched: [Watched] = []
  private var timers: [Timer] = []
  private var buffer = [UInt8](repeating: 0, count: PacketCheck.limitBytes)
  private var budget = PacketBudget(at: MonotonicClock.milliseconds)

  /// A loop whose thread does not run yet; `nil` where the system has no room for one.
  init?() {
    guard let thread = unsafe avahi_threaded_poll_new(),
      let original = unsafe avahi_threaded_poll_get(thread)
    else {
      return nil
    }
    unsafe self.thread = thread
    unsafe self.original = original
    unsafe functions = .allocate(capacity: 1)
    // SAFETY: the functions that get a watch or a timer stay those of the library's loop, whose objects these are.
    unsafe functions.initialize(to: original.pointee)
    unsafe functions.pointee.userdata = Unmanaged.passUnretained(self).toOpaque()
    unsafe functions.pointee.watch_new = { functions, descriptor, events, callback, context in
      guard let poll = unsafe CheckedPoll.of(functions), let callback = unsafe callback else { return nil }
      return unsafe poll.watch(descriptor, events, callback, context)
    }
    unsafe functions.pointee.timeout_new = { functions, moment, callback, context in
      guard let poll = unsafe CheckedPoll.of(functions) else { return nil }
      return unsafe poll.original.pointee.timeout_new(poll.original, moment, callback, context)
    }
  }

  deinit {
    // SAFETY: the thread has stopped, and nothing of the library uses the functions any more.
    unsafe avahi_threaded_poll_free(thread)
    unsafe functions.deallocate()
  }

  private static func of(_ functions: UnsafePointer<AvahiPoll>?) -> CheckedPoll? {
    guard let context = unsafe functions?.pointee.userdata else { return nil }
    // SAFETY: `init` put this object there, which outlives what the library makes of it.
    return unsafe Unmanaged<CheckedPoll>.fromOpaque(context).takeUnretainedValue()
  }

  private func watch(
    _ descriptor: Int32, _ events: AvahiWatchEvent, _ callback: AvahiWatchCallback,
    _ context: UnsafeMutableRawPointer?
  ) -> OpaquePointer? {
    guard Self.isPacketSocket(descriptor) else {
      return unsafe original.pointee.watch_new(original, descriptor, events, callback, context)
    }
    let watched = unsafe Watched(self, callback, context)
    self.watched.append(watched)
    // SAFETY: `self` keeps what is watched until the thread has stopped.
    return unsafe original.pointee.watch_new(
      original, descriptor, events,
      { watch, descriptor, events, context in
        guard let context = unsafe context else { return }
        let watched = unsafe Unmanaged<Watched>.fromOpaque(context).takeUnretainedValue()
        // The library takes nothing else for possible; an error is gone once it was asked for.
        guard events.rawValue & AVAHI_WATCH_IN.rawValue != 0 else {
          _ = CheckedPoll.option(SO_ERROR, of: descriptor)
          return
        }
        guard watched.poll.passes(descriptor) else { return }
        unsafe watched.callback(watch, descriptor, events, watched.context)
      }, Unmanaged.passUnretained(watched).toOpaque())
  }

  /// Calls once, on the library's thread, unless that ends before.
  func after(milliseconds: UInt32, _ body: @escaping () -> Void) {
    let timer = Timer(self, body)
    timers.append(timer)
    var moment = timeval()
    unsafe avahi_elapse_time(&moment, milliseconds, 0)
    // SAFETY: `self` keeps the timer until it has gone off, or the thread has stopped.
    unsafe _ = original.pointee.timeout_new(
      original, &moment,
      { timeout, context in
        guard let context = unsafe context else { return }
        let timer = unsafe Unmanaged<Timer>.fromOpaque(context).takeUnretainedValue()
        let poll = timer.poll
        unsafe poll.original.pointee.timeout_free(timeout)
        poll.timers.removeAll { $0 === timer }
        timer.body()
      }, Unmanaged.passUnretained(timer).toOpaque())
  }

  private static func isPacketSocket(_ descriptor: Int32) -> Bool {
    [AF_INET, AF_INET6].contains(option(SO_DOMAIN, of: descriptor))
      && option(SO_TYPE, of: descriptor) == Int32(SOCK_DGRAM.rawValue)
  }

  /// What a socket says of itself; -1 for what is no socket.
  private static func option(_ option: Int32, of descriptor: Int32) -> Int32 {
    var value: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    return unsafe getsockopt(descriptor, SOL_SOCKET, option, &value, &size) == 0 ? value : -1
  }

  /// Whether the library may read the packet that waits; one that it may not is taken out.
  private func passes(_ descriptor: Int32) -> Bool {
    let flags = Int32(MSG_PEEK | MSG_DONTWAIT | MSG_TRUNC)
    let count = unsafe recv(descriptor, &buffer, buffer.count, flags)
    guard count >= 0 else { return false }
    let mayPass = budget.take(at: MonotonicClock.milliseconds) && count <= buffer.count
    if mayPass, PacketCheck.accepts(buffer[..<count]) { return true }
    unsafe _ = recv(descriptor, &buffer, 1, Int32(MSG_DONTWAIT))
    return false
  }
}
