import Glibc

/// A program that is started and left alone, such as one that opens a browser.
package enum DetachedProgram {
  /// Starts a program, which reads nothing and whose words are lost; it goes on when this one ends.
  /// - Parameter words: the command line; a program without a slash is looked for in the folders of `PATH`.
  package static func start(_ words: [String]) throws(SystemError) {
    // SAFETY: the call reads the path that it is lent.
    let number = unsafe open("/dev/null", O_RDWR | O_CLOEXEC)
    guard number >= 0 else { throw SystemError("open", errno, path: "/dev/null") }
    let nothing = Descriptor(number)
    defer { nothing.forget() }
    _ = try ProcessStart.spawn(
      words[0], words, ProcessStart.environment, ends: [nothing, nothing, nothing])
  }
}
