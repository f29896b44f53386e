import Platform

extension Mapping {
  /// Checks, locks and opens the environment, creating it when a writer finds its folder absent or empty.
  static func open(_ configuration: Environment.Configuration) throws(StoreError) -> Mapping {
    let folder = try Folder(resolving: configuration.folder)
    if try inStore(FileSystem.isRemote(folder.parent)) { throw .networkFileSystem(path: folder.parent) }
    let registration = try OpenFolder(folder)
    guard configuration.access == .writing else {
      _ = try DataFile.check(folder.dataFile)
      return try open(folder, configuration, registration: registration)
    }
    let lock = try lock(folder, configuration)
    try Creation.removeLeftovers(of: folder)
    try Creation.settle(folder, newest: try DataFile.check(folder.dataFile))
    return try open(folder, configuration, lock: lock, registration: registration)
  }

  /// Takes the writer's lock, creating the environment when its folder is absent or empty.
  private static func lock(_ folder: Folder, _ configuration: Environment.Configuration) throws(StoreError)
    -> WriterLock
  {
    let names = try folder.names() ?? []
    if names.isEmpty, let lock = try Creation.create(folder, configuration) { return lock }
    guard names.isEmpty || names.contains("data.mdb") else {
      throw .notADatabase(path: folder.path, reason: "the folder holds other files and no data.mdb")
    }
    return try WriterLock(folder, program: configuration.program)
  }
}
