internal import Events
internal import Network
internal import Peer
internal import Projection

// Time limits: what follows when the time of a seat is up.

extension PeerService {
  /// Rules, or claims, where a seat's time is up.
  func keepTime(in room: RoomID) async throws(PeerError) {
    guard let state = await node.read({ $0.state(of: room) }),
      let act = timekeeper.look(at: state, at: elapsed())
    else { return }
    try await node.update { core throws(PeerError) in
      core.act(as: 0)
      return try core.perform(act, in: room) ? [room] : []
    }
  }

  /// Has rooms looked at when the time of a seat is up.
  func setAlarm() {
    guard let due = timekeeper.nextDue, !isClosed else { return }
    if let alarm, alarm.due <= due, !alarm.task.isCancelled { return }
    alarm?.task.cancel()
    let now = elapsed()
    let wait = due > now ? due - now : 1
    alarm = (
      due,
      Task {
        do { try await Task.sleep(for: .milliseconds(wait)) } catch { return }
        self.alarm = nil
        await self.tend()
      }
    )
  }
}
