import Events
import Service
import Terminal

/// `parlor block [PEER] [--remove]`.
enum BlockCommand: Command {
  static let definition = CommandDefinition(
    "block", group: Group.network,
    summary: "Have nothing to do with a peer, or list the peers that are blocked.",
    text: [
      "A blocked peer gets no connection. The games that it opens are not taken in from anybody, its invitations and"
        + " its chat are not shown, and it gets no seat at your tables. What it writes in games where you play with it"
        + " counts as ever. What is here of its rooms stays until `parlor log forget`.",
      "It holds at once, also in a process that has the data folder, and until it is removed.",
    ],
    arguments: [
      .init(
        "peer", "The peer's public key, or its first digits when it is connected or blocked.",
        isOptional: true)
    ],
    options: [.flag("remove", "Block the peer no more.")],
    examples: [
      .init("block", "the peers that are blocked"),
      .init("block 3fa2b1", "the connected peer whose key begins so"),
      .init("block 3fa2b1 --remove", "it is blocked no more"),
    ],
    exitStatuses: [.init(.negative, "--remove: that peer is not blocked.")],
    objects: [
      .init(
        "blocked", "For each peer that is blocked; after a change, for that one.", ["peer": "its public key"]),
      .init("unblocked", "With --remove.", ["peer": "its public key"]),
    ])

  static func run(_ parsed: ParsedCommand, _ context: Context) async throws -> ExitStatus {
    let folder = try context.store.folder()
    try folder.check()
    let blocked = try BlockedPeers.read(in: folder.path)
    guard let name = parsed.argument("peer") else {
      guard !parsed.has("remove") else {
        throw Failure(.usage, "it is not said who is blocked no more", hint: "`parlor block PEER --remove`")
      }
      return try list(blocked, context)
    }
    let isBlocked = !parsed.has("remove")
    try await context.store.writing {
      let (_, marks) = try context.store.markedWriter()
      // Another command may have changed the list before this one had the folder.
      let blocked = try BlockedPeers.read(in: folder.path)
      let peer = try self.peer(name, blocked, [], parsed, context)
      let own = try context.store.identity(marks).peer
      guard peer != own else { throw ServiceError.refused("a peer cannot block itself") }
      let peers = isBlocked ? blocked.union([peer]) : blocked.subtracting([peer])
      try BlockedPeers.write(peers, in: folder.path)
      try tell(peer, isBlocked, context)
    } through: { client, _ in
      let here = try await client.neighbours().compactMap(\.peer)
      let peer = try self.peer(name, blocked, here, parsed, context)
      _ = try await client.perform(.block(peer, isBlocked: isBlocked))
      await client.close()
      try tell(peer, isBlocked, context)
    }
    return .ok
  }

  /// Whom the argument means.
  private static func peer(
    _ name: String, _ blocked: Set<PeerID>, _ here: [PeerID], _ parsed: ParsedCommand, _ context: Context
  ) throws -> PeerID {
    let named = PeerID(hex: name)
    let meant = blocked.union(here).filter { $0.description.hasPrefix(name.lowercased()) }
    guard let peer = named ?? meant.first, named != nil || meant.count == 1 else {
      throw parsed.badArgument(
        "peer",
        meant.isEmpty
          ? "no peer that is connected or blocked has a key that begins so; a whole key has 64 hexadecimal digits"
          : "several peers' keys begin so")
    }
    if parsed.has("remove"), !blocked.contains(peer) {
      throw Failure(.negative, "the peer \(peer.short) is not blocked")
    }
    return peer
  }

  private static func list(_ peers: Set<PeerID>, _ context: Context) throws -> ExitStatus {
    for peer in peers.sorted() {
      if context.isJSON {
        try context.object("blocked", ["peer": .string(peer.description)])
      } else {
        try context.console.line(peer.description)
      }
    }
    if peers.isEmpty, !context.isJSON { try context.console.line("No peer is blocked.") }
    return .ok
  }

  private static func tell(_ peer: PeerID, _ isBlocked: Bool, _ context: Context) throws {
    guard context.isJSON else {
      return try context.console.line("\(peer.short) is \(isBlocked ? "blocked" : "blocked no more").")
    }
    try context.object(isBlocked ? "blocked" : "unblocked", ["peer": .string(peer.description)])
  }
}
