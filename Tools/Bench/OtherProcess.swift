import CFloor
import Glibc
import Platform
import Terminal

/// This program once more, in a process of its own that plays a role: it reads orders from its input and answers on
/// its output, a line each. It ends when its input does, and so never outlives this process.
///
/// Or another program, which ends at a signal.
final class OtherProcess {
  /// How long an answer may take.
  private static let limitMilliseconds = 600_000

  /// What it should do, for words.
  private let duty: String
  /// The signal that ends it; `nil` for one that ends with its input.
  private let signal: Int32?
  private let process: Int32
  private let orders: Descriptor
  private let answers: Descriptor
  private var reader: LineReader
  private var hasEnded = false

  /// Starts a process in this role.
  convenience init(_ role: Role.Name, _ arguments: [String]) throws {
    try self.init([Program.own, Role.word, role.rawValue] + arguments, to: role.rawValue)
  }

  /// Starts another program, by its path, to do something until it gets a signal.
  convenience init(_ words: [String], to duty: String, endedBy signal: Int32) throws {
    try self.init(words, to: duty, signal)
  }

  private init(_ words: [String], to duty: String, _ signal: Int32? = nil) throws {
    (self.duty, self.signal) = (duty, signal)
    let (input, orders) = try Descriptor.pipe()
    let (answers, output) = try Descriptor.pipe()
    var process: Int32 = -1
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
    if let signal { kill(process, signal) }
    orders.forget()
    answers.forget()
  }

  /// This process's ends of its standard input and output, for who passes lines itself.
  var input: Descriptor { orders }
  var output: Descriptor { answers }

  /// Gives an order.
  func order(_ words: String) throws { try orders.write(Array((words + "\n").utf8)) }

  /// Waits for its next line.
  /// - Parameter word: what it should say, for words.
  func line(_ word: String) throws -> String {
    guard case .line(let line) = try reader.next(timeoutMilliseconds: Self.limitMilliseconds) else {
      throw BenchFailure(.software, "the process that should \(duty) did not say \"\(word)\"")
    }
    return line
  }

  /// Waits for its next answer, which begins with this word.
  /// - Returns: what follows it.
  func answer(_ word: String) throws -> [String] {
    let line = try line(word)
    let words = line.split(separator: " ").map(String.init)
    guard words.first == word else {
      throw BenchFailure(.software, "the process that should \(duty) said: \(line)")
    }
    return Array(words.dropFirst())
  }

  /// Waits for its next answer, which is this word and so many numbers.
  func numbers(_ word: String, _ count: Int) throws -> [Double] {
    let numbers = try answer(word).compactMap(Double.init)
    guard numbers.count == count else {
      throw BenchFailure(.software, "the process that should \(duty) said other numbers")
    }
    return numbers
  }

  /// What memory it has; `nil` where the system does not tell.
  func memory() throws -> Memory? { try Memory.now(of: "\(process)") }

  /// Lets it end, and waits for that.
  func end() throws {
    var end = floor_end()
    hasEnded = true
    try orders.close()
    defer { answers.forget() }
    if let signal { kill(process, signal) }
    // SAFETY: the process is a child of this one that nobody else waits for; the call fills the structure.
    try unsafe FloorError.check(floor_wait(process, &end))
    guard end.status == signal.map({ 128 + Int($0) }) ?? 0 else {
      throw BenchFailure(.software, "the process that should \(duty) ended with \(end.status)")
    }
  }
}
