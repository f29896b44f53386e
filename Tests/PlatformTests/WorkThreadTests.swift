import Platform
import Testing

@Suite struct WorkThreadTests {
  @Test("What it is given is done in order, on one thread that is no other")
  func order() async {
    let thread = WorkThread()
    #expect(!thread.isCurrent)
    let (numbers, source) = AsyncStream.makeStream(of: (number: Int, thread: UInt).self)
    for number in 0..<1_000 {
      thread.add { source.yield((number, CurrentProcess.thread)) }
    }
    thread.add { source.finish() }
    var seen: [(number: Int, thread: UInt)] = []
    for await next in numbers { seen.append(next) }
    #expect(seen.map(\.number) == Array(0..<1_000))
    #expect(Set(seen.map(\.thread)).count == 1)
    #expect(seen.first?.thread != CurrentProcess.thread)
  }

  @Test("What it was given is done when nobody refers to it any more, also where it goes itself")
  func end() async {
    let (numbers, source) = AsyncStream.makeStream(of: Bool.self)
    do {
      let thread = WorkThread()
      thread.add {
        // The last reference may go here, on the thread itself.
        source.yield(thread.isCurrent)
        source.finish()
      }
    }
    var seen: [Bool] = []
    for await next in numbers { seen.append(next) }
    #expect(seen == [true])
  }
}
