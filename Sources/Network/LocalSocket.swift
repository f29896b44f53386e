internal import CLibuv
import Glibc
internal import Platform

/// A socket with a name in a folder, by which processes of one user on one machine speak with each other.
///
/// Only this user may connect: the socket has mode 0600, and whoever connects is asked of the system (`SO_PEERCRED`).
package struct LocalSocket: Sendable {
  private let folder: String
  private let name: String
  private let loop: EventLoop

  package init(_ name: String, in folder: String, _ loop: EventLoop) {
    self.name = name
    self.folder = folder
    self.loop = loop
  }

  /// Waits for connections, in place of a socket that a process has left behind. Who calls this holds a lock that
  /// keeps all others from doing so.
  package func listen(_ accept: @escaping (any ByteStream) -> Void) throws(NetworkError) -> any Listener {
    let socket = try Self.socket()
    var made: FileNumber?
    do throws(NetworkError) {
      try withAddress { (address, parent) throws(NetworkError) in
        try removeLeftOver(parent, made: nil)
        try check(unsafe address.withAddress { unsafe bind(socket, $0, $1) }, "cannot make the socket")
        try check(unsafe fchmodat(parent.descriptor.number, name, 0o600, 0), "cannot protect the socket")
        made = try number(in: parent)
      }
    } catch {
      _ = close(socket)
      throw error
    }
    return try unsafe SocketListener(
      loop, Address(host: Address.inProcess, port: 0), "a local socket", backlog: 16,
      bind: { unsafe uv_tcp_open($0, socket) }, closed: { remove(made) },
      accept: { if $0.isOfThisUser { accept($0) } else { $0.close(afterWriting: false) } })
  }

  /// Which file the socket's name in a folder stands for; `nil` for none.
  private func number(in parent: borrowing OpenFile) throws(NetworkError) -> FileNumber? {
    guard let status = parent.status(of: name) else { return nil }
    guard status.kind == .socket else { throw .system(path, "something else than a socket is there") }
    return status.number
  }

  /// Connects to the process that listens; `nil` when there is none.
  package func connect() throws(NetworkError) -> (any ByteStream)? {
    let socket = try Self.socket()
    var code: Int32 = 0
    do throws(NetworkError) {
      try withAddress { (address, _) throws(NetworkError) in
        if unsafe address.withAddress({ unsafe Glibc.connect(socket, $0, $1) }) != 0 { code = errno }
      }
      guard code == 0 || code == ECONNREFUSED || code == ENOENT || code == ENOTSOCK else {
        throw failure("cannot connect to \(path)", code)
      }
    } catch {
      _ = close(socket)
      throw error
    }
    guard code == 0 else {
      _ = close(socket)
      return nil
    }
    return TCPStream(loop, adopting: socket)
  }

  private var path: String { "\(folder)/\(name)" }

  /// Removes the socket's name, unless it stands for another process's socket by now.
  fileprivate func remove(_ made: FileNumber?) {
    // What is gone already needs no removing.
    do throws(NetworkError) {
      try withAddress { (_, parent) throws(NetworkError) in try removeLeftOver(parent, made: made) }
    } catch {}
  }

  /// - Parameter made: which one; `nil` for any.
  private func removeLeftOver(
    _ parent: borrowing OpenFile, made: FileNumber?
  ) throws(NetworkError) {
    guard let found = try number(in: parent), made == nil || found == made else { return }
    // Who makes a socket in its place says why that cannot be.
    do throws(SystemError) { try parent.remove(name) } catch {}
  }

  private static func socket() throws(NetworkError) -> Int32 {
    let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard socket >= 0 else { throw failure("cannot make a socket", errno) }
    return socket
  }

  /// Calls `body` with an address that is short wherever the folder lies, because an address holds 107 bytes, and
  /// with the open folder.
  private func withAddress(
    _ body: (LocalAddress, borrowing OpenFile) throws(NetworkError) -> Void
  ) throws(NetworkError) {
    let parent: OpenFile
    do throws(SystemError) { parent = try OpenFile(folder, .folder) } catch {
      throw failure(folder, error.code)
    }
    let place = "/proc/self/fd/\(parent.descriptor.number)/\(name)"
    guard let address = LocalAddress(place) else {
      throw .system(path, "the path is too long for a socket; use another data folder")
    }
    try body(address, parent)
  }

  private func check(_ code: Int32, _ what: String) throws(NetworkError) {
    if code != 0 { throw failure("\(what) \(path)", errno) }
  }
}

private func failure(_ what: String, _ code: Int32) -> NetworkError {
  .code(-code, what)
}

/// The address of a socket in the file system.
private struct LocalAddress {
  private var storage = sockaddr_un()

  /// `nil` for a path that is too long.
  init?(_ path: String) {
    storage.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    // SAFETY: the bytes of the tuple, of which all but the last are filled at most; the rest is zero.
    let fits = unsafe withUnsafeMutableBytes(of: &storage.sun_path) { place in
      guard bytes.count < place.count else { return false }
      unsafe place.copyBytes(from: bytes)
      return true
    }
    if !fits { return nil }
  }

  /// Calls `body` with the address where it lies.
  func withAddress(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    // SAFETY: every kind of address begins with a `sockaddr`.
    unsafe withUnsafeBytes(of: storage) { bytes in
      guard let base = bytes.baseAddress else { preconditionFailure("an address without a place") }
      return unsafe body(base.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
    }
  }
}

extension TCPStream {
  /// A stream of a local socket that is connected; it is the stream's from now on.
  convenience init(_ loop: EventLoop, adopting descriptor: Int32) {
    self.init(loop, remote: Address(host: Address.inProcess, port: 0))
    let code = unsafe withSocket { unsafe uv_tcp_open($0, descriptor) }
    if code != 0 { _ = Glibc.close(descriptor) }
  }

  /// Whether the process at the other end of a local socket belongs to this user.
  fileprivate var isOfThisUser: Bool {
    var descriptor: Int32 = -1
    let code = unsafe withStream { stream in
      unsafe uv_fileno(UnsafeRawPointer(stream).assumingMemoryBound(to: uv_handle_t.self), &descriptor)
    }
    guard code == 0 else { return false }
    // The system's `ucred`: the numbers of the process, the user and the group.
    var credentials: [UInt32] = [.max, .max, .max]
    var count = socklen_t(12)
    // SAFETY: the system fills at most the twelve bytes that it is told of.
    let answer = unsafe getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &count)
    return answer == 0 && count == 12 && credentials[1] == geteuid()
  }
}
