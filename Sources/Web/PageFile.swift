internal import CPage

/// A file of the page (Sources/Web/Page). The files are part of the program.
struct PageFile {
  /// What kind of content it is, as HTTP says it.
  let type: String
  let content: [UInt8]
  /// The content as it is sent to browsers that read it so.
  let packed: [UInt8]
  /// What a browser runs and loads in it.
  let policy: String

  /// Nothing but the page's own files, and in no other page.
  static let ownFilesAlone =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

  init(type: String, content: [UInt8], policy: String = PageFile.ownFilesAlone) {
    (self.type, self.content, self.policy) = (type, content, policy)
    packed = Gzip.packed(content)
  }

  /// All files that are served, by the path of a request.
  static func all() -> [String: PageFile] {
    let stored = stored()
    var files = stored.filter { $0.key.hasPrefix("/") }
    files["/verify.html"] = verifier(stored)
    return files
  }

  /// What is stored: files that are served under their paths, and under others the parts of the page that checks files
  /// of games.
  private static func stored() -> [String: PageFile] {
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

  private static func verifier(_ stored: [String: PageFile]) -> PageFile {
    var texts: [String: String] = [:]
    // tidy: order does not matter because they are put into a dictionary
    for (path, file) in stored {
      let name = path.hasPrefix("/") ? String(path.dropFirst()) : path
      texts[name] = String(decoding: file.content, as: UTF8.self)
    }
    do throws(VerifyPage.Fault) {
      let page = try VerifyPage(texts)
      return PageFile(type: "text/html; charset=utf-8", content: Array(page.text.utf8), policy: page.policy)
    } catch { preconditionFailure("the page that checks files cannot be made of its parts: \(error)") }
  }
}
