package import Events
internal import Peer
internal import Platform

/// The peers with which the user of a data folder has nothing to do, and the file of the folder that names them: a line
/// that says so, and a public key in each further one. The process that has the folder's lock writes it.
package struct BlockedPeers: Sendable {
  package static let fileName = "blocked"
  /// The most peers.
  package static let limit = 4_096
  private static let head = "parlor-blocked-1"
  private static let limitBytes = 512 << 10

  private(set) var peers: Set<PeerID>
  /// The data folder; `nil` where they are noted nowhere.
  private let folder: String?

  init(_ peers: Set<PeerID>, in folder: String?) {
    self.peers = peers
    self.folder = folder
  }

  /// Names a peer, or names it no more; that is durable when it returns.
  mutating func set(_ peer: PeerID, _ isBlocked: Bool) throws(ServiceError) {
    var changed = peers
    if isBlocked { changed.insert(peer) } else { changed.remove(peer) }
    if let folder { try Self.write(changed, in: folder) }
    peers = changed
  }

  /// The peers that the file of a folder names; none where there is no such file.
  package static func read(in folder: String) throws(ServiceError) -> Set<PeerID> {
    let text: String
    do throws(SystemError) {
      let opened = try OpenFile(folder, .folder)
      text = String(decoding: try OpenFile(fileName, in: opened).readAll(limit: limitBytes), as: UTF8.self)
    } catch {
      guard error.kind == .missing else { throw .peer(.log(error.description)) }
      return []
    }
    let lines = text.split(separator: "\n")
    let peers = lines.dropFirst().compactMap { line in Bytes32(hex: String(line)).map { PeerID($0) } }
    guard lines.first == head[...], peers.count == lines.count - 1 else {
      throw .peer(
        .unplayable(
          "the list of blocked peers is damaged, and nobody knows whom it named: look at the file \(fileName) of the"
            + " data folder, or remove it"))
    }
    return Set(peers)
  }

  /// Makes a list durable.
  package static func write(_ peers: Set<PeerID>, in folder: String) throws(ServiceError) {
    guard peers.count <= limit else {
      throw .refused("at most \(limit) peers can be blocked")
    }
    let text = ([head] + peers.sorted().map(\.description)).map { $0 + "\n" }.joined()
    do throws(SystemError) {
      let opened = try OpenFile(folder, .folder)
      try opened.replace(fileName, with: Array(text.utf8))
      try opened.sync()
    } catch { throw .peer(.log(error.description)) }
  }
}
