/// A request for the page, and what it is answered (Docs/PAGE.md).
struct PageRequest {
  enum Method: Equatable {
    case get
    case head
    case other
  }

  var method: Method
  var path: String
  /// The machine that the browser believes to speak with.
  var host: String?
  /// Whether something comes with it, which is never read.
  var hasContent = false
  /// Whether the browser reads content that is packed.
  var takesPacked = false

  /// An answer, whose content a request for its head alone does not get.
  struct Answer: Equatable {
    var status: UInt32
    var type = "text/plain; charset=utf-8"
    var content: [UInt8]
    /// What a browser runs and loads in it.
    var policy = PageFile.ownFilesAlone
    /// Whether the content is packed; `nil` where it never is.
    var isPacked: Bool?
    /// Whether no other request is taken on its connection.
    var endsConnection = false

    init(_ status: UInt32, _ words: String) {
      self.status = status
      content = Array((words + "\n").utf8)
    }

    init(_ file: PageFile, isPacked: Bool = false) {
      (status, type, content) = (200, file.type, isPacked ? file.packed : file.content)
      (policy, self.isPacked) = (file.policy, isPacked)
    }

    /// What it says beside its length: a page runs nothing but what belongs to it, is shown in no other page, and tells
    /// no other where it was.
    var headers: [(name: String, value: String)] {
      [
        ("cache-control:", "no-cache"), ("content-security-policy:", policy),
        ("cross-origin-resource-policy:", "same-origin"), ("referrer-policy:", "no-referrer"),
        ("x-content-type-options:", "nosniff"), ("content-type:", type),
      ] + (isPacked == nil ? [] : [("vary:", "accept-encoding")])
        + (isPacked == true ? [("content-encoding:", "gzip")] : [])
    }
  }

  /// The answer. A page that another name leads to could be somebody else's: whoever owns a name can have it mean this
  /// machine.
  func answer(_ files: [String: PageFile], _ rule: OriginRule) -> Answer {
    var answer = content(files, rule)
    answer.endsConnection = method == .other || hasContent
    return answer
  }

  private func content(_ files: [String: PageFile], _ rule: OriginRule) -> Answer {
    guard rule.showsPage(host: host) else {
      return Answer(403, "The page is at a number or at localhost, not at this name: see --web-origin.")
    }
    guard method != .other else { return Answer(405, "The page is only read: GET or HEAD.") }
    guard !hasContent else { return Answer(400, "A request for the page has no content.") }
    guard let file = files[path] else {
      return Answer(404, "There is nothing here: the page is at /, and sockets are at \(WebServer.path).")
    }
    return Answer(file, isPacked: takesPacked)
  }
}
