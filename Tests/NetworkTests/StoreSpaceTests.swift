import Testing

@testable import Network

/// When a store that had no space is tried again.
@Suite struct StoreSpaceTests {
  @Test func itIsTriedAgainAfterAPause() {
    var space = StoreSpace()
    #expect(space.refusal == nil && space.deadline == nil)
    space.noteShortage("full", at: 1_000)
    #expect(space.refusal == "full" && space.deadline == 1_000 + StoreSpace.pauseMilliseconds)
    let early = space.advance(to: 999 + StoreSpace.pauseMilliseconds)
    #expect(!early)
    #expect(space.refusal == "full")
    let due = space.advance(to: 1_000 + StoreSpace.pauseMilliseconds)
    #expect(due)
    // Whether there is space is known when something was stored.
    #expect(space.refusal == nil && space.deadline == nil && space.shortage == "full")
    let again = space.advance(to: 9_000)
    #expect(!again)
    space.noteShortage("full again", at: 9_000)
    #expect(space.refusal == "full again")
    space.noteStored()
    #expect(space.refusal == nil && space.shortage == nil && space.deadline == nil)
  }
}
