import CLMDB

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Refuses file systems on which a shared map or record locks are not dependable.
enum FileSystem {
  #if os(Linux)
    /// `f_type` of NFS, SMB, CIFS, SMB2, FUSE, 9P, AFS and Ceph, from Linux's `magic.h`.
    private static let remote: [UInt32] = [
      0x6969, 0x517B, 0xFF53_4D42, 0xFE53_4D42, 0x6573_5546, 0x0102_1997, 0x5346_414F, 0x00C3_6400,
    ]
  #endif

  static func refuseRemote(_ path: String) throws(StoreError) {
    var status = statfs()
    // SAFETY: statfs reads the terminated string and fills the structure, during the call only.
    guard unsafe statfs(path, &status) == 0 else { throw StoreError(errno: errno, path: path) }
    #if os(Linux)
      let isRemote = remote.contains(UInt32(truncatingIfNeeded: status.f_type))
    #else
      let isRemote = status.f_flags & UInt32(MNT_LOCAL) == 0
    #endif
    if isRemote { throw .networkFileSystem(path: path) }
  }
}
