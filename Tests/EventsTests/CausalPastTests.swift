import Events
import Testing

/// What happened before what, by the quick way and by going through all of it.
@Suite struct CausalPastTests {
  /// Feeds of four authors, some of them forked, that name each other now and then or not at all.
  @Test(arguments: 0..<24) func isWhatIsFoundByGoingThroughAll(seed: Int) throws {
    let graph = try RecordSequence(seed: UInt64(seed), events: 48).graph
    var found = 0
    for event in 0..<graph.count {
      let past = graph.past(of: event)
      for ancestor in 0..<graph.count {
        let isInPast = graph.isInPast(ancestor, of: event)
        #expect(isInPast == past.contains(ancestor), "seed \(seed): \(ancestor) before \(event)")
        found += isInPast ? 1 : 0
      }
    }
    #expect(found > graph.count)
  }
}
