import Events
import NATS
import Peer
import Platform
import Queue
import Terminal
import Tournaments

/// A tournament's queue while an organizer uses it.
struct QueueRun: Sendable {
  private let queue: JobQueue
  private let context: Context

  /// Connects, and makes the tournament's streams.
  init(_ settings: NATSSettings, _ tournament: RoomID, _ context: Context) async throws {
    let connection = try await NATSConnection.connect(settings, as: "parlor organizer \(tournament.short)")
    self.context = context
    let console = context.console
    queue = JobQueue(connection, tournament: tournament, replicas: settings.replicas) { news in
      console.note(Self.words(news))
    }
    try await queue.open()
    console.note(
      "Games are given out at \(SafeText(settings.shown).text); `parlor worker --queue …` plays them.")
  }

  /// Does what needs the queue, with answers coming in meanwhile.
  func use(
    isCancelled: @escaping @Sendable () -> Bool,
    _ body: (Elsewhere) async throws(PeerError) -> TournamentRoom
  ) async throws -> TournamentRoom {
    let queue = queue
    let pump = Task { await queue.takeAnswers(isCancelled: isCancelled) }
    let elsewhere = Elsewhere(window: JobQueue.window, elapsed: { MonotonicClock.tickMilliseconds }) {
      (job, room, number) async throws(PeerError) in
      do throws(NATSError) { return try await queue.play(job, room, number) } catch {
        throw .busy(error.description)
      }
    }
    let end: Result<TournamentRoom, PeerError>
    do throws(PeerError) { end = .success(try await body(elsewhere)) } catch { end = .failure(error) }
    await queue.stop()
    await pump.value
    let tournament = try end.get()
    if tournament.state.isComplete {
      do throws(NATSError) { try await queue.remove() } catch {
        context.console.note(
          "The tournament's streams stay in the queue: \(SafeText(error.description).text).")
      }
    }
    return tournament
  }

  private static func words(_ news: JobQueue.News) -> String {
    switch news {
    case .waits(let error): "\(SafeText(error.description).text). It is asked again until it answers."
    case .goesOn: "The queue answers again."
    case .garbage(let reason): "Something came through the queue that is no answer: \(SafeText(reason).text)."
    case .silence: "No game has come back for a while. Are there workers, and have they the bots?"
    case .sentAgain(let count): "The queue had lost \(count) jobs, which were sent again."
    }
  }
}
