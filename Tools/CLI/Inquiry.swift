import Events
import Network
import Platform
import Projection
import Service
import Terminal

/// What a command asks of other peers, through the peer of the data folder.
struct Inquiry {
  let context: Context
  let parsed: ParsedCommand
  let service: any Service

  /// A game that is here or comes with the first answers of others; an error when it does not.
  /// - Returns: `nil` when it was asked to stop.
  func game(_ name: String) async throws -> RoomState? {
    let addresses = try NetworkOptions.addresses(parsed)
    // Another process that has the folder may be about to hear of it only where an address is new to it.
    let patience = service is PeerService || addresses.isEmpty ? 0 : FirstAnswers.patienceMilliseconds
    let end = ContinuousClock.now + .milliseconds(patience)
    let input = try await TableInput(context.interrupts, following: service)
    let timer = Task {
      try await Task.sleep(until: end)
      await input.noteChange()
    }
    defer { timer.cancel() }
    var hasAsked = false
    while true {
      if let state = try await service.state(named: name) { return state }
      if !hasAsked { _ = try await service.perform(.want(name: name)) }
      hasAsked = true
      guard ContinuousClock.now < end else { break }
      guard try await input.change().isChange else { return nil }
    }
    guard try await firstAnswers() else { return nil }
    if let state = try await service.state(named: name) { return state }
    var refusals = Refusals(addresses)
    try await refusals.tell(service, context.console)
    throw Failure(
      .noInput, "neither this peer nor any peer that answered has the game \(name)",
      hint: "`parlor lobby` lists the games; `--connect HOST:PORT` names a peer that has it")
  }

  /// Waits until each address that is tried has answered, well or badly, and who has answered holds the same as this
  /// peer: then what can be known is known. Where peers nearby are looked for, they have a moment to be found. What is
  /// not known after a while is not waited for.
  /// - Returns: `false` when it was asked to stop.
  func firstAnswers() async throws -> Bool {
    guard let here = service as? PeerService else { return true }
    let pulses = TableInput(context.interrupts)
    await pulses.follow(await here.pulses())
    // At a relay nobody knows when all who are there have answered.
    let isRelayed = try NATSOptions.relay.settings(parsed) != nil
    let answers = FirstAnswers(
      looksNearby: isRelayed || !parsed.has("no-discovery"), atMilliseconds: MonotonicClock.milliseconds)
    let timer = Task {
      for moment in [answers.beginMilliseconds, answers.endMilliseconds] {
        while MonotonicClock.milliseconds < moment {
          try await Task.sleep(for: .milliseconds(moment - MonotonicClock.milliseconds))
        }
        await pulses.noteChange()
      }
    }
    let looking = Task {
      await here.lookAround.wait()
      await pulses.noteChange()
    }
    defer {
      timer.cancel()
      looking.cancel()
    }
    while true {
      let hasLooked = here.lookAround.isDone && !isRelayed
      let neighbours = await here.neighbours()
      var equal: Set<PeerID> = []
      for peer in neighbours.compactMap(\.peer) where await here.surroundings.isEqual(with: peer) {
        equal.insert(peer)
      }
      let standing = answers.standing(
        neighbours, equal: equal, hasLookedAround: hasLooked, atMilliseconds: MonotonicClock.milliseconds)
      if standing == .late, !Task.isCancelled { context.console.note("Not everybody has answered in time.") }
      if standing != .waiting {
        // What has come is to be taken notice of before it is asked for.
        await here.settle()
        return true
      }
      guard try await pulses.change().isChange else { return false }
    }
  }
}

/// The pauses, in milliseconds, after which a command that is over looks again whether others have what it has
/// written.
private let handOverPauses = [10, 20, 40, 80, 160, 320, 640]

extension Service {
  /// A game that is here.
  func state(named name: String) async throws -> RoomState? {
    guard let room = try await room(named: name) else { return nil }
    return try await state(of: room)
  }

  /// Calls `body`, and lets go of this peer whatever happens.
  func untilDone(_ body: () async throws -> ExitStatus) async throws -> ExitStatus {
    let result: Result<ExitStatus, any Error>
    do {
      let status = try await body()
      if status != .interrupted { try await handOver() }
      result = .success(status)
    } catch { result = .failure(error) }
    let failure = await (self as? PeerService)?.failure()
    await close()
    // What stopped the peer says more than what stopped the command because of it.
    if let failure { throw failure }
    return try result.get()
  }

  /// Waits until others have what was written here, but not for long: who has not heard of a game's end when this
  /// process is gone waits for it.
  private func handOver() async throws {
    guard let here = self as? PeerService, await !here.surroundings.isHandedOver() else { return }
    await here.closeSocket()
    for pause in handOverPauses {
      guard await !here.surroundings.isHandedOver() else { return }
      try await Task.sleep(for: .milliseconds(pause))
    }
  }
}
