internal import CLibuv

/// A timer of libuv.
@safe final class SystemTimer: LoopTimer {
  private let loop: EventLoop
  private var handle: UnsafeMutablePointer<uv_timer_t>?
  private var fire: (() -> Void)?
  private var deadline: UInt64?
  /// Whether it is going off.
  private var isFiring = false

  init(_ loop: EventLoop, _ fire: @escaping () -> Void) {
    loop.checkIsolated()
    self.loop = loop
    self.fire = fire
    let handle = UnsafeMutablePointer<uv_timer_t>.allocate(capacity: 1)
    // SAFETY: the loop runs on this thread; the handle's data is this object, which it keeps until it is closed.
    unsafe _ = uv_timer_init(loop.thread.loop, handle)
    unsafe handle.pointee.data = Unmanaged.passRetained(self).toOpaque()
    unsafe self.handle = handle
  }

  /// Calls at this moment and at none that was set before; `nil` calls at none.
  func set(_ deadline: UInt64?) {
    guard let handle = unsafe handle, deadline != self.deadline else { return }
    self.deadline = deadline
    guard let deadline else {
      unsafe _ = uv_timer_stop(handle)
      return
    }
    let now = loop.now
    // libuv calls whatever is due before it does anything else, also what is set anew by its own call: a moment that
    // has passed, set there again and again, would keep the loop from all else.
    let soonest: UInt64 = isFiring ? 1 : 0
    // SAFETY: the handle is open. The loop's own clock stands still while a callback runs.
    unsafe uv_update_time(loop.thread.loop)
    unsafe _ = uv_timer_start(
      handle,
      { handle in
        guard let data = unsafe handle?.pointee.data else { return }
        let timer = unsafe Unmanaged<SystemTimer>.fromOpaque(data).takeUnretainedValue()
        timer.deadline = nil
        timer.isFiring = true
        timer.fire?()
        timer.isFiring = false
      }, max(deadline > now ? deadline - now : 0, soonest), 0)
  }

  func close() {
    fire = nil
    guard let handle = unsafe handle else { return }
    unsafe self.handle = nil
    unsafe closeHandle(handle)
  }
}
