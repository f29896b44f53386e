package import Platform

extension Bundle {
  /// The pieces of a bundle from an open file or pipe; whoever opened it closes it, after the reader is done.
  package static func source(_ descriptor: Descriptor, name: String) -> () throws(BundleError) -> [UInt8] {
    { () throws(BundleError) in
      do throws(SystemError) { return try descriptor.readSome(limitBytes: 65_536, path: name) } catch {
        throw .inputOutput(error.description)
      }
    }
  }

  /// Where the pieces of a bundle go: an open file or pipe.
  package static func sink(_ descriptor: Descriptor, name: String) -> ([UInt8]) throws(BundleError) -> Void {
    { (bytes) throws(BundleError) in
      do throws(SystemError) { try descriptor.write(bytes, path: name) } catch {
        throw .inputOutput(error.description)
      }
    }
  }
}
