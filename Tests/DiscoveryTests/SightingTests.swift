import Network
import Testing

@testable import Discovery

/// What is told of others, and how much is kept of them.
@Suite struct SightingTests {
  private let four = Link(interface: 2, version: 0)
  private let six = Link(interface: 2, version: 1)
  private let first = Address(host: "10.0.0.2", port: 9)
  private let second = Address(host: "fe80::2%e0", port: 9)

  private func follow(_ name: String, on link: Link, _ table: inout SightingTable) -> String {
    let (isFollowed, dropped) = table.follow(name, on: link)
    return (isFollowed ? "yes" : "no") + (dropped.map { ", instead of \($0)" } ?? "")
  }

  @Test func oneNameIsToldOnce() {
    var table = SightingTable()
    #expect(follow("a", on: six, &table) == "yes")
    #expect(table.take() == nil)
    table.note(second, of: "a", on: six)
    #expect(table.take() == .found(name: "a", addresses: [second]))
    #expect(follow("a", on: four, &table) == "yes")
    #expect(table.take() == nil)
    table.note(first, of: "a", on: four)
    #expect(table.take() == .found(name: "a", addresses: [first, second]))
    table.note(first, of: "a", on: four)
    #expect(table.take() == nil)
    table.unfollow("a", on: six)
    #expect(table.take() == .found(name: "a", addresses: [first]))
    table.unfollow("a", on: four)
    #expect(table.take() == .lost(name: "a"))
    #expect(table.take() == nil)
    #expect(table.count == 0)
  }

  @Test func theLastStateCounts() {
    var table = SightingTable()
    _ = table.follow("a", on: four)
    table.note(first, of: "a", on: four)
    table.unfollow("a", on: four)
    #expect(table.take() == nil, "nobody was told")
    _ = table.follow("a", on: four)
    table.note(first, of: "a", on: four)
    #expect(table.take() != nil)
    table.note(nil, of: "a", on: four)
    table.note(first, of: "a", on: four)
    #expect(table.take() == nil, "it is as it was told")
    table.note(nil, of: "a", on: four)
    #expect(table.take() == .lost(name: "a"))
  }

  /// That all was told is said once: when all had the time to answer, and of each it is known where it is reached.
  @Test func theEndOfTheFirstLookIsTold() {
    var table = SightingTable()
    _ = table.follow("a", on: four)
    _ = table.follow("b", on: four)
    table.hasHeardAll = true
    #expect(table.take() == nil, "it is not known where they are")
    table.note(first, of: "a", on: four)
    #expect(table.take() == .found(name: "a", addresses: [first]))
    #expect(table.take() == nil, "it is not known where b is")
    table.note(nil, of: "b", on: four)
    #expect(table.take() == .settled)
    _ = table.follow("c", on: four)
    table.unfollow("c", on: four)
    #expect(table.take() == nil, "it is said once")
  }

  @Test func oneselfIsNoNews() {
    var table = SightingTable()
    table.ownName = "a"
    #expect(follow("a", on: four, &table) == "no")
    table.note(first, of: "a", on: four)
    #expect(table.take() == nil)
  }

  @Test func thereIsRoomForSomeNames() {
    var table = SightingTable()
    for number in 0..<SightingTable.limitNames {
      #expect(follow("\(number)", on: four, &table) == "yes")
      if number > 1 { table.note(first, of: "\(number)", on: four) }
    }
    #expect(!table.isCrowded)
    #expect(follow("x", on: four, &table) == "yes, instead of 0")
    table.note(first, of: "x", on: four)
    #expect(follow("y", on: four, &table) == "yes, instead of 1")
    table.note(first, of: "y", on: four)
    #expect(follow("z", on: four, &table) == "no", "all have addresses")
    #expect(follow("y", on: six, &table) == "yes", "it is followed already")
    table.note(first, of: "z", on: four)
    #expect(table.count == SightingTable.limitNames)
    #expect(table.takeRoom() == false)
    table.unfollow("y", on: four)
    table.unfollow("y", on: six)
    #expect(table.takeRoom() == true)
    #expect(table.takeRoom() == false)
    #expect(follow("z", on: four, &table) == "yes")
  }

  @Test func thereIsRoomForSomeLinks() {
    var table = SightingTable()
    for number in 0..<40 {
      let link = Link(interface: Int32(number), version: 0)
      #expect((follow("a", on: link, &table) == "yes") == (number < SightingTable.limitLinks))
      table.note(Address(host: "10.0.0.\(number)", port: 9), of: "a", on: link)
    }
    guard case .found("a", let addresses) = table.take() else {
      Issue.record("it is not found")
      return
    }
    #expect(addresses.count == SightingTable.limitLinks)
  }

  /// Who changes all the time keeps nobody else waiting.
  @Test func everybodyHasTurns() {
    var table = SightingTable()
    for name in ["a", "b"] { _ = table.follow(name, on: four) }
    var told: Set<String> = []
    for number in 0..<4 {
      table.note(Address(host: "10.0.0.2", port: UInt16(number + 1)), of: "a", on: four)
      table.note(Address(host: "10.0.0.3", port: UInt16(number + 1)), of: "b", on: four)
      if case .found(let name, _) = table.take() { told.insert(name) }
    }
    #expect(told == ["a", "b"])
  }

  @Test func theQueueHandsOver() async {
    let queue = SightingQueue()
    let reader = Task { await queue.sightings.reduce(into: [Sighting]()) { $0.append($1) } }
    for number in 0..<100 {
      queue.change { table in
        _ = table.follow("\(number)", on: four)
        table.note(first, of: "\(number)", on: four)
      }
      if number % 7 == 0 { await Task.yield() }
    }
    queue.finish()
    let sightings = await reader.value
    #expect(Set(sightings) == Set((0..<100).map { .found(name: "\($0)", addresses: [first]) }))
    #expect(sightings.count == 100)
  }
}
