import Events
import Network

/// Any bytes as what a peer says of where others are: refused, or in the one form of what it says.
enum PeersTarget {
  static func run(_ bytes: [UInt8]) {
    do throws(FormatError) {
      let list = try PeerList(decoding: bytes)
      Fuzz.promise(list.encoded == bytes, "written again, the list of peers is another")
    } catch {}
  }
}
