import CFloor
import Glibc
import Platform
import Terminal

/// This program once more, in a process of its own that plays a role: it reads orders from its input and answers on
/// its output, a line each. It ends when its input does, and so never outlives this process.
final class OtherProcess {
  /// How long an answer may take.
  private static let limitMilliseconds = 600_000

  private let role: Role.Name
  private let process: Int32
  private let orders: Descriptor
  private let answers: Descriptor
  private var reader: LineReader
  private var hasEnded = false

  /// Starts a process in this role.
  init(_ role: Role.Name, _ arguments: [String]) throws {
    self.role = role
    let (input, orders) = try Descriptor.pipe()
    let (answers, output) = try Descriptor.pipe()
    var process: Int32 = -1
    let words = [Program.own, Role.word, role.rawValue] + arguments
    // SAFETY: the copies live until after the call, and the list ends with a null pointer.
    let copies = unsafe words.map { unsafe strdup($0) }
    defer { unsafe copies.forEach { unsafe free($0) } }
    let list = unsafe copies.map { unsafe UnsafePointer<CChar>($0) } + [nil]
    let code = unsafe floor_start(list, input.number, output.number, &process)
    try input.close()
    try output.close()
    (self.process, self.orders, self.answers) = (process, orders, answers)
    reader = LineReader(answers)
    hasEnded = code != 0
    try FloorError.check(code)
  }

  deinit {
    guard !hasEnded else { return }
    // It is not waited for: whoever failed wants to say so, and it ends by itself.
    orders.forget()
    answers.forget()
  }

  /// Gives an order.
  func order(_ words: String) throws { try orders.write(Array((words + "\n").utf8)) }

  /// Waits for its next answer, which begins with this word.
  /// - Returns: what follows it.
  func answer(_ word: String) throws -> [String] {
    guard case .line(let line) = try reader.next(timeoutMilliseconds: Self.limitMilliseconds) else {
      throw BenchFailure(.software, "the process that should \(role.rawValue) did not say \"\(word)\"")
    }
    let words = line.split(separator: " ").map(String.init)
    guard words.first == word else {
      throw BenchFailure(.software, "the process that should \(role.rawValue) said: \(line)")
    }
    return Array(words.dropFirst())
  }

  /// Waits for its next answer, which is this word and so many numbers.
  func numbers(_ word: String, _ count: Int) throws -> [Double] {
    let numbers = try answer(word).compactMap(Double.init)
    guard numbers.count == count else {
      throw BenchFailure(.software, "the process that should \(role.rawValue) said other numbers")
    }
    return numbers
  }

  /// Lets it end, and waits for that.
  func end() throws {
    var end = floor_end()
    hasEnded = true
    try orders.close()
    defer { answers.forget() }
    // SAFETY: the process is a child of this one that nobody else waits for; the call fills the structure.
    try unsafe FloorError.check(floor_wait(process, &end))
    guard end.status == 0 else {
      throw BenchFailure(.software, "the process that should \(role.rawValue) ended with \(end.status)")
    }
  }
}
