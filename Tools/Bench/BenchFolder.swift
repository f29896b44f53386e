import CFloor
import Glibc
import Platform
import Terminal

/// The folder in which the stores of one run are made, and which is removed at its end.
struct BenchFolder: Sendable {
  let path: String

  /// Makes a new folder in `parent`, or in the system's temporary folder.
  init(in parent: String?) throws(BenchFailure) {
    let parent = parent ?? CurrentProcess.variable("TMPDIR") ?? "/tmp"
    var template = Array("\(parent)/parlor-bench-XXXXXX".utf8CString)
    // SAFETY: mkdtemp changes the six last characters of the terminated text in place.
    guard unsafe mkdtemp(&template) != nil else {
      throw Self.failure(SystemError("mkdtemp", errno, path: parent))
    }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Makes a new folder inside this one.
  func make(_ name: String) throws(BenchFailure) -> String {
    let folder = "\(path)/\(name)"
    do throws(SystemError) { try FileSystem.makeFolder(folder) } catch { throw Self.failure(error) }
    return folder
  }

  /// Removes everything in the folder, and the folder.
  ///
  /// At Ctrl-C a store may just be being made in it, so it is tried again, for at most a second.
  func remove() {
    for _ in 0..<100 where FileSystem.exists(path) {
      Self.remove(path)
      usleep(10_000)
    }
  }

  /// Removes a folder and everything in it; what cannot be removed stays.
  static func remove(_ path: String) {
    // SAFETY: the call reads the terminated path.
    unsafe floor_remove(path)
  }

  /// The kind of file system, by the name of its driver.
  var fileSystem: String {
    // SAFETY: the call reads the terminated path.
    let type = unsafe floor_file_system(path)
    let names: [UInt32: String] = [
      0xEF53: "ext4", 0x0102_1994: "tmpfs", 0x9123_683E: "btrfs", 0x5846_5342: "xfs",
      0x794C_7630: "overlayfs",
      0x2FC1_2FC1: "zfs", 0x6969: "nfs",
    ]
    return names[type] ?? "file system 0x\(String(type, radix: 16))"
  }

  private static func failure(_ error: SystemError) -> BenchFailure {
    BenchFailure(.cannotCreate, "cannot make a folder at \(error)")
  }
}
