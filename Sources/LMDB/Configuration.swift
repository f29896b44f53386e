extension Environment {
  /// Whether an environment is opened for reading beside a writer, or as the writer.
  package enum Access: Sendable {
    case reading
    case writing
  }

  /// How an environment is opened.
  package struct Configuration: Sendable {
    /// The folder that holds `data.mdb`, `lock.mdb` and `writer.lock`; a writer creates it when it is absent.
    package var folder: String
    package var access: Access
    /// The names of the databases, all opened at once.
    package var databases: [String]
    /// The size of the sparse memory map and so of the largest file, in bytes; the same in every process.
    package var mapBytes: Int
    /// The slots for concurrent read transactions of all processes.
    package var maximumReaders: UInt32 = 2_048
    /// The name that a refused second writer is told.
    package var program: String

    package init(
      folder: String, access: Access, databases: [String], mapBytes: Int = 16 << 30, program: String = ""
    ) {
      self.folder = folder
      self.access = access
      self.databases = databases
      self.mapBytes = mapBytes
      self.program = program
    }
  }
}

/// A named database of one environment; keys are bytes in lexicographic order.
package struct Database: Sendable {
  let number: UInt32
  let owner: ObjectIdentifier
}
