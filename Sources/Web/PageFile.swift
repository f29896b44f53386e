internal import CPage

/// A file of the page (Sources/Web/Page). The files are part of the program.
struct PageFile {
  /// What kind of content it is, as HTTP says it.
  let type: String
  let content: [UInt8]

  /// All files, by the path of a request.
  static func all() -> [String: PageFile] {
    var files: [String: PageFile] = [:]
    var index = 0
    // SAFETY: the files are constants of the program, and the texts end with a zero.
    while let file = unsafe parlor_page_file_at(index)?.pointee {
      let content = unsafe Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
      unsafe files[String(cString: file.path)] = PageFile(type: String(cString: file.type), content: content)
      index += 1
    }
    return files
  }
}
