public import Rules

/// A tap race: first to so many taps, or most taps in so many seconds.
///
/// Players say in batches how often they have tapped. Only the host's clock counts, and of nobody more than `rate`
/// taps a second, so that a program that claims more gains nothing.
public struct TapRace: HostedRules {
  /// How a race is won.
  public enum Aim: Hashable, Sendable {
    /// By who has so many taps first.
    case taps(UInt32)
    /// By who has most after so many seconds.
    case seconds(UInt32)
  }

  /// What one player has in a race.
  struct Tally {
    var player: UInt16
    /// The taps that count.
    var taps: UInt32 = 0
    /// The last entry that added some, by the order of receipts; of one who has all it wants, the one that did it.
    var last = 0
  }

  /// The most taps of a player that count in each second. The quickest hands known make 16; a program may claim more.
  public static let rate: UInt32 = 20
  /// The most taps that one batch names.
  public static let limitBatch: UInt16 = 1_000
  /// How often a player's program says how many taps there were, in milliseconds.
  public static let batchMilliseconds: UInt32 = 200
  /// The points of the first, the second and so on; further places have none.
  public static let pointsByPlace: [UInt32] = [25, 18, 15, 12, 10, 8, 6, 4, 2, 1]
  private static let limitTaps = 1...1_000
  private static let limitSeconds = 3...60

  public static let name = "tap-race"
  public static let version: UInt16 = 1
  public static let title = "Tap race"
  public static let summary = "The quickest hands win: first to so many taps, or most in so many seconds."
  public static let settings = [
    ParameterDefinition(name: "taps", summary: "who has so many taps first wins, 1 to 1000", standard: "50"),
    ParameterDefinition(
      name: "seconds", summary: "instead: who has most taps after so many seconds wins, 3 to 60",
      standard: "none"),
  ]
  public static let players = 2...16
  public static let roundWord = "race"

  /// How a race is won.
  public let aim: Aim

  /// A tap race with fifty taps to make.
  public init() { aim = .taps(50) }

  public init(_ parameters: Parameters) throws(RulesError) {
    try parameters.check(known: Self.settings)
    if let taps = parameters["taps"], parameters["seconds"] != nil {
      throw .badParameter(name: "taps", value: taps, expected: "taps and seconds cannot both be set")
    }
    aim =
      parameters["seconds"] == nil
      ? .taps(UInt32(try parameters.number("taps", in: Self.limitTaps, standard: 50)))
      : .seconds(UInt32(try parameters.number("seconds", in: Self.limitSeconds, standard: 10)))
  }

  /// The setting that says how a race is won; the other one has no value then.
  public var parameters: Parameters {
    var parameters = Parameters()
    switch aim {
    case .taps(let taps): parameters["taps"] = "\(taps)"
    case .seconds(let seconds): parameters["seconds"] = "\(seconds)"
    }
    return parameters
  }

  /// When the host closes a race by itself, in milliseconds since it opened it: the time is over, or nobody gets there.
  public var limitMilliseconds: UInt32 {
    switch aim {
    case .taps(let taps): 30_000 + 500 * taps
    case .seconds(let seconds): 1_000 * seconds
    }
  }

  /// How many batches of a player count in a race: as many as a program sends until the limit, and some more.
  public var limitBatches: UInt16 {
    UInt16(truncatingIfNeeded: limitMilliseconds / Self.batchMilliseconds) + 10
  }

  public var isSealed: Bool { false }
  public var graceMilliseconds: UInt32 { 0 }

  /// A race asks for nothing but what the settings say.
  public func question(_ content: [UInt8]) -> HostedQuestion? {
    guard content.isEmpty else { return nil }
    return switch aim {
    case .taps(let taps): HostedQuestion(text: "First to \(taps) tap\(taps == 1 ? "" : "s").", goal: taps)
    case .seconds(let seconds): HostedQuestion(text: "Most taps in \(seconds) seconds.")
    }
  }

  public func isSolution(_ solution: [UInt8], of content: [UInt8]) -> Bool { solution.isEmpty }

  public func isEntry(_ choice: [UInt8], in content: [UInt8]) -> Bool { Self.taps(choice) != nil }

  /// A batch is typed as the number of its taps.
  public func entry(text: String, in content: [UInt8]) -> [UInt8]? {
    guard let taps = UInt16(text), "\(taps)" == text else { return nil }
    return Self.batch(taps)
  }

  public func text(of choice: [UInt8], in content: [UInt8]) -> String {
    Self.taps(choice).map { "\($0)" } ?? "?"
  }

  /// The bytes of a batch of so many taps, most significant first; `nil` where no batch has so many.
  public static func batch(_ taps: UInt16) -> [UInt8]? {
    guard (1...limitBatch).contains(taps) else { return nil }
    return [UInt8(taps >> 8), UInt8(truncatingIfNeeded: taps)]
  }

  /// How many taps a batch names; `nil` for bytes that are no batch.
  public static func taps(_ batch: [UInt8]) -> UInt16? {
    guard batch.count == 2 else { return nil }
    let taps = UInt16(batch[0]) << 8 | UInt16(batch[1])
    return (1...limitBatch).contains(taps) ? taps : nil
  }
}
