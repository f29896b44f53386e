import Foundation
import Testing

/// The states that a power cut can leave of a recording, and what the program makes of them.
struct PowerCuts {
  /// A fault planted in the rig: a sync that was recorded and that the model leaves out, or output that counts
  /// too early.
  enum Plant: String, CaseIterable {
    case none
    /// Durability switched off: no fsync, no fdatasync, no O_DSYNC.
    case nothing = "no-sync-at-all"
    /// LMDB's MDB_NOMETASYNC: the meta page is written without O_DSYNC.
    case meta = "no-meta-sync"
    /// Pages may reach the disk after the meta page that names them.
    case data = "no-data-sync"
    /// The store's folder is renamed into place, and the folder around it is not synced.
    case rename = "no-sync-after-rename"
    /// The store's folder is renamed into place before its own entries are durable.
    case draft = "no-draft-sync"
    /// The folders above the data folder's are not synced after it was made.
    case above = "no-sync-above"
    /// The identity's content is not synced before it gets its name.
    case identity = "no-identity-sync"
    /// The identity's name is not synced.
    case identityFolder = "no-identity-folder-sync"
    /// Everything is acknowledged before the commit that makes it durable.
    case early = "early-output"

    /// What must come of it.
    var consequences: [String] {
      switch self {
      case .none: []
      case .nothing, .data: ["lost", "unreadable"]
      case .meta, .rename, .draft, .above, .early: ["lost"]
      case .identity, .identityFolder: ["identity"]
      }
    }
  }

  /// What was found.
  struct Findings {
    /// A line for each of the first violations.
    let words: String
    fileprivate let figures: [String: Any]

    /// A figure: of states drawn, or of violations of one kind.
    func of(_ name: String) -> Int { figures[name] as? Int ?? -1 }
    var states: Int { of("states") }
    var distinct: Int { of("distinct") }
    var goneOn: Int { of("goneOn") }
    var violations: Int { of("violations") }
  }

  let recording: PowerCutRecording

  init(_ recording: PowerCutRecording) { self.recording = recording }

  /// Draws states and has the program look at each different one.
  ///
  /// When there is a violation and nothing was planted, recording and states stay on disk.
  /// - Parameters:
  ///   - stopAfter: how many violations are enough; 0 for all.
  ///   - goOnEvery: every how manieth different state is also gone on with; 0 for none.
  func check(
    states: Int, seed: UInt64, plant: Plant = .none, stopAfter: Int = 0, goOnEvery: Int = 0
  ) throws -> Findings {
    let work = "\(Self.place)/parlor-power-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: work, withIntermediateDirectories: false)
    let arguments = [
      "check", recording.trace, try #require(Program.path), recording.plan.data, recording.promises, work,
      "\(states)",
      "\(seed)", plant.rawValue, "\(stopAfter)", "\(goOnEvery)", recording.commands, recording.input,
    ]
    let run = try OtherProgram.run(recording.tools.cuts, arguments, in: recording.tools.folder)
    try #require(run.status == 0 || run.status == 1, "\(run.errors)")
    let lines = run.output.split(separator: "\n")
    let figures = try JSONSerialization.jsonObject(with: Data(try #require(lines.last).utf8))
    var words = lines.joined(separator: "\n")
    if run.status == 1 && plant == .none && !recording.plan.isKnownToFail {
      for name in ["trace", "promises", "commands", "moves", "cuts"] {
        let copy = "\(work)/\(name)"
        try FileManager.default.copyItem(atPath: recording.tools.folder.file(name), toPath: copy)
      }
      words += "\nthe recording is kept in \(work)"
    } else {
      try FileManager.default.removeItem(atPath: work)
    }
    return Findings(words: words, figures: try #require(figures as? [String: Any]))
  }

  /// In memory where that is possible: what the program syncs here need not last.
  private static let place =
    FileManager.default.isWritableFile(atPath: "/dev/shm")
    ? "/dev/shm" : FileManager.default.temporaryDirectory.path
}
