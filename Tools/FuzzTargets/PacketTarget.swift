import Discovery

/// Any bytes as a packet of the local network, wherever they lie: the check ends, and says the same.
enum PacketTarget {
  static func run(_ bytes: [UInt8]) {
    let isAccepted = PacketCheck.accepts(bytes[...])
    let around = [0] + bytes + [0]
    Fuzz.promise(
      PacketCheck.accepts(around[1..<(around.count - 1)]) == isAccepted, "elsewhere, the packet is another")
  }
}
