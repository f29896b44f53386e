import Events
import Service
import Terminal

/// Tells people which rooms are not taken in because this program does not know their edition, each once.
struct EditionNotices {
  private var told = 0

  /// Tells what is new.
  mutating func tell(_ service: PeerService, _ console: Console) async {
    let rooms = await service.exchange().roomsNotTaken
    guard rooms.count > told else { return }
    for (room, edition) in rooms[told...] { console.note(Self.words(room, edition)) }
    told = rooms.count
    if told == ExchangeStatus.limitNotTaken { console.note("Further rooms of other editions are not named.") }
  }

  private static func words(_ room: RoomID, _ edition: UInt16) -> String {
    let code = GameCode.of(room)
    return "The room \(code) (\(room.short)) is of edition \(edition), and this program takes edition"
      + " \(Create.edition): it is not taken. A newer program can read it; `parlor watch \(code)` takes it as it is."
  }
}
