import EventLog
import Events
import Foundation
import Games
import Network
import Peer
import Projection
import TestKit
import Testing

@testable import Service

/// Another process on the same data folder, and whoever else finds the socket.
@Suite(.serialized) struct ServiceSocketTests {
  @Test func anotherCommandActsAndReadsThroughTheSocket() async throws {
    let folder = try ServiceFolder()
    let service = try await folder.open(1)
    let client = try #require(try await folder.client())
    #expect(client.peer == service.peer)
    let room = try await client.host()
    #expect(try await client.state(of: room)?.phase == .waiting)
    #expect(try await service.state(of: room)?.phase == .waiting)
    try await client.wait(for: "the lobby") { try await client.openGames() == [room] }
    #expect(try await client.room(named: GameCode.of(room)) == room)
    _ = try await client.perform(.act(room, .say("hello")))
    #expect(try await client.state(of: room)?.chat.map(\.text) == ["hello"])
    await #expect(throws: ServiceError.peer(.notAllowed("there is no game to resign"))) {
      try await client.perform(.act(room, .resign))
    }
    #expect(try await client.neighbours() == [])
    await service.close()
    await #expect(throws: ServiceError.self) { try await client.perform(.act(room, .say("too late"))) }
    await #expect(throws: ServiceError.self) { try await client.state(of: room) }
  }

  /// What a command draws is the same in process and through the socket, however long it is.
  @Test func aTableIsTheSameThroughTheSocket() async throws {
    let folder = try ServiceFolder()
    let service = try await folder.open(1)
    let client = try #require(try await folder.client())
    #expect(try await client.table(of: RoomID(Bytes32([UInt8](0..<32), at: 0))) == nil)
    let room = try await client.host()
    #expect(try await client.table(of: room)?.may == [.say, .leave])
    // More than one frame holds.
    for number in 0..<40 {
      _ = try await client.perform(.act(room, .say("\(number) " + String(repeating: "é", count: 1_000))))
    }
    let table = try #require(try await client.table(of: room))
    #expect(table.chat.count == 40 && table.json.count > 65_536)
    #expect(try await service.table(of: room) == table)
    _ = try await client.perform(.act(room, .leave))
    #expect(try await client.table(of: room)?.phase == .closed)
    #expect(try await client.table(of: room) == service.table(of: room))
    await service.close()
  }

  /// An answer may come at once: it finds whoever asked.
  @Test func everyQuestionIsAnswered() async throws {
    let folder = try ServiceFolder()
    let service = try await folder.open(1)
    let client = try #require(try await folder.client())
    let room = try await client.host()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<4 {
        group.addTask {
          for number in 0..<Effort.size(30, quick: 10) {
            _ = try await client.perform(.act(room, .say("\(task) \(number)")))
            _ = try await client.openGames()
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await client.state(of: room)?.chat.count == 4 * Effort.size(30, quick: 10))
    await client.close()
    await service.close()
  }

  @Test func allNeighboursAreTold() async throws {
    let folder = try ServiceFolder()
    let service = try await folder.open(1)
    let client = try #require(try await folder.client())
    // Nobody listens at these ports, of which none may be bound but by the system's own services.
    let ports = (1...UInt16(ServiceFrame.limitNeighbours + 50))
    for port in ports { await service.found(Address(host: "127.0.0.1", port: port)) }
    #expect(Set(try await client.neighbours().map(\.address.port)) == Set(ports))
    await service.close()
  }

  @Test func aChangeIsTold() async throws {
    let folder = try ServiceFolder()
    let service = try await folder.open(1)
    let client = try #require(try await folder.client())
    var changes = await client.changes().makeAsyncIterator()
    let room = try await service.host()
    await #expect(changes.next() != nil)
    #expect(try await client.state(of: room) != nil)
    await service.close()
    while await changes.next() != nil {}
  }

  /// The process that has the folder may end while a command is under way, or because of what that does: whatever was
  /// done the command hears of.
  @Test func whatWasDoneIsAnsweredAtTheEnd() async throws {
    let folder = try ServiceFolder()
    var done: [Int] = []
    for number in 0..<Effort.size(200, quick: 60) {
      let service = try await folder.open(1)
      let client = try #require(try await folder.client())
      let room = try await client.host()
      let answer = Task { try await client.perform(.act(room, .say("the last word"))) }
      try await Task.sleep(for: .microseconds(number % 60 * 25))
      await service.close()
      let result = await answer.result
      guard try folder.log().state(of: room, verify: false, Games.catalog).chat.count == 1 else { continue }
      done.append(number)
      #expect(throws: Never.self, "\(number)") { try result.get() }
    }
    #expect(!done.isEmpty)
  }

  @Test func theSocketIsForThisUserAndGoneAtTheEnd() async throws {
    let folder = try ServiceFolder()
    var service = try await folder.open(1)
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.socket)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    await service.close()
    #expect(!FileManager.default.fileExists(atPath: folder.socket))
    #expect(try await folder.client() == nil)
    service = try await folder.open(1)
    #expect(try await folder.client() != nil)
    await service.close()
  }

  /// Who was killed leaves a socket behind that nobody listens at.
  @Test func aSocketThatWasLeftBehindIsReplaced() async throws {
    let folder = try ServiceFolder()
    let elsewhere = try ServiceFolder()
    let other = try await elsewhere.open(2)
    try FileManager.default.moveItem(atPath: elsewhere.socket, toPath: folder.socket)
    await other.close()
    let service = try await folder.open(1)
    #expect(try await folder.client()?.peer == service.peer)
    await service.close()
  }

  @Test func whatIsNoSocketIsNotRemoved() async throws {
    let folder = try ServiceFolder()
    try Data("mine".utf8).write(to: URL(fileURLWithPath: folder.socket))
    await #expect(throws: ServiceError.self) { _ = try await folder.open(1) }
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder.socket)) == Data("mine".utf8))
  }

  /// An address of a socket holds 107 bytes; folders have longer paths.
  @Test func aLongPathIsNoHindrance() async throws {
    let folder = try ServiceFolder(String(repeating: "x", count: 180) + UUID().uuidString)
    let service = try await folder.open(1)
    #expect(try await folder.client()?.peer == service.peer)
    await service.close()
  }

  // MARK: - Hostile

  /// Somebody who says anything at all.
  private actor Stranger {
    private nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }
    private var stream: (any ByteStream)?
    private(set) var heard: [UInt8] = []
    private(set) var hasEnded = false

    init() throws { loop = try EventLoop() }

    func connect(_ folder: String) throws {
      let stream = try #require(try LocalSocket("socket", in: folder, loop).connect())
      self.stream = stream
      stream.start { event in
        switch event {
        case .received(let bytes): self.heard += bytes
        case .drained: break
        case .ended: self.hasEnded = true
        }
      }
    }

    func say(_ bytes: [UInt8]) { stream?.write(bytes) }
    func leave() { stream?.close(afterWriting: true) }
  }

  @Test func whatIsNoFrameEndsTheConnectionAndHarmsNobody() async throws {
    let folder = try ServiceFolder()
    let service = try await folder.open(1)
    let hello = ServiceFrame.hello.encoded()
    let tooLong = UInt32(ServiceFrame.limitBytes + 1)
    let frames: [[UInt8]] = [
      [0, 0, 0, 0], [0xFF, 0xFF, 0xFF, 0xFF], (0..<4).map { UInt8(tooLong >> (24 - 8 * $0) & 0xFF) },
      [0, 0, 0, 1, 99],
      ServiceFrame.askNeighbours(number: 1).encoded(), hello + hello + [0, 0, 0, 1, 3],
      hello + ServiceFrame.changed.encoded(), hello.dropLast() + [0xFF], Array("GET / HTTP/1.1\r\n\r\n".utf8),
    ]
    for bytes in frames {
      let stranger = try Stranger()
      try await stranger.connect(folder.path)
      await stranger.say(bytes)
      try await service.wait(for: "the end after \(bytes.prefix(8))") { await stranger.hasEnded }
    }
    let client = try #require(try await folder.client())
    #expect(try await client.neighbours() == [])
    await service.close()
  }

  /// Whoever goes in the middle of a frame, or does not read what it asked for.
  @Test func whoGoesOrDoesNotReadHarmsNobody() async throws {
    let folder = try ServiceFolder()
    let service = try await folder.open(1)
    let client = try #require(try await folder.client())
    let room = try await client.host()
    for number in 1..<20 {
      let stranger = try Stranger()
      try await stranger.connect(folder.path)
      let question = ServiceFrame.perform(number: 7, .act(room, .say("word \(number)"))).encoded()
      await stranger.say(ServiceFrame.hello.encoded() + question.prefix(question.count * number / 19))
      await stranger.leave()
    }
    try await client.wait(for: "the whole word") {
      try await client.state(of: room)?.chat.contains { $0.text == "word 19" } == true
    }
    #expect(try await client.state(of: room)?.chat.count == 1)
    await service.close()
  }

  @Test func aCrowdIsLimitedAndRoomIsMadeAgain() async throws {
    let folder = try ServiceFolder()
    let service = try await folder.open(1)
    var strangers: [Stranger] = []
    for _ in 0..<40 {
      let stranger = try Stranger()
      try await stranger.connect(folder.path)
      strangers.append(stranger)
    }
    try await service.wait(for: "refusals") {
      var ended = 0
      for stranger in strangers where await stranger.hasEnded { ended += 1 }
      return ended == 8
    }
    for stranger in strangers { await stranger.leave() }
    try await service.wait(for: "a place") {
      do { return try await folder.client() != nil } catch is ServiceError { return false }
    }
    await service.close()
  }
}
