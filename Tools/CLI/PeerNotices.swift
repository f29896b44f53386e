import Network
import Peer
import Service
import Terminal

/// What is said on standard error, while a command works, of what befalls its peer.
struct PeerNotices {
  let service: PeerService
  let console: Console

  /// Says, once, that another process with this key is on the network.
  func tellOfTwin() async {
    let pulses = await service.pulses()
    Task {
      for await _ in pulses where await service.exchange().hasTwin {
        return console.note(PeerError.doubled.description + ".")
      }
    }
  }

  /// Says when there is no space for what is written, and when there is some again.
  func tellOfShortage() async {
    let pulses = await service.pulses()
    Task {
      var wasShort = false
      for await _ in pulses {
        let shortage = await service.exchange().shortage
        guard (shortage != nil) != wasShort else { continue }
        wasShort.toggle()
        console.note(
          shortage.map {
            "\($0) What is stored is still read and passed on; writing is tried again every few seconds."
          } ?? "The store takes in what is written again.")
      }
    }
  }

  /// Says of each room that is not taken in why, and what can be done.
  func tellOfRoomsNotTaken() async {
    let pulses = await service.pulses()
    Task {
      var notices = EditionNotices()
      for await _ in pulses { await notices.tell(service, console) }
    }
  }
}
