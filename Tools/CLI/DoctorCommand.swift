import Discovery
import EventLog
import Events
import Platform
import Service
import Terminal

/// `parlor doctor`.
enum DoctorCommand: Command {
  static let definition = CommandDefinition(
    "doctor", group: Group.program,
    summary: "Say what is right and wrong with installation, data folder, network and terminal.",
    text: [
      "Looks at what a game needs, and says what to do where something is wrong. Nothing is made, changed or sent to"
        + " the network. `log verify` checks the games themselves."
    ],
    examples: [
      .init("doctor", "When something does not work."),
      .init("doctor --data /media/stick/parlor", "Whether that folder can hold games."),
    ],
    exitStatuses: [.init(.ok, "Nothing is wrong."), .init(.negative, "Something is wrong.")],
    objects: [
      .init(
        "check", "For each part.",
        [
          "part": "`program`, `data`, `store`, `identity`, `network` or `terminal`",
          "state": "`right`, `remark` (it works, with less) or `wrong`", "text": "how it stands, in words",
          "hint": "what to do, or null",
        ])
    ])

  static func run(_ parsed: ParsedCommand, _ context: Context) async throws -> ExitStatus {
    let doctor = Doctor(context)
    var wrong: Set<Doctor.Part> = []
    // What lies in a folder that is wrong would be told of the same fault again.
    for part in Doctor.Part.allCases where !(part.liesInFolder && wrong.contains(.data)) {
      for finding in await doctor.findings(of: part) {
        try tell(finding, of: part, context)
        if finding.state == .wrong { wrong.insert(part) }
      }
    }
    return wrong.isEmpty ? .ok : .negative
  }

  private static func tell(
    _ finding: Doctor.Finding, of part: Doctor.Part, _ context: Context
  ) throws(ConsoleError) {
    guard !context.isJSON else {
      return try context.object(
        "check",
        [
          "part": .string(part.rawValue), "state": .string(finding.state.rawValue),
          "text": .string(finding.text), "hint": .optional(finding.hint),
        ])
    }
    let style: Style = finding.state == .right ? .green : finding.state == .wrong ? .red : .yellow
    let state = context.console.output.drawing.paint(finding.state.rawValue, style)
    try context.console.paragraph("\(state): \(part.rawValue): \(finding.text)")
    if let hint = finding.hint { try context.console.paragraph("hint: \(hint)") }
  }
}

/// Looks at what the program needs of its surroundings.
private struct Doctor {
  enum Part: String, CaseIterable {
    case program, data, store, identity, network, terminal

    var liesInFolder: Bool { self == .store || self == .identity }
  }

  struct Finding {
    enum State: String {
      case right, remark, wrong
    }

    let state: State
    let text: String
    var hint: String?
  }

  /// Below that the data folder's file system is said to be nearly full: the space of some hundred thousand games.
  private static let littleBytes: UInt64 = 100 << 20

  private let context: Context

  init(_ context: Context) { self.context = context }

  func findings(of part: Part) async -> [Finding] {
    do {
      return switch part {
      case .program: [program]
      case .data: try data()
      case .store: [try await store()]
      case .identity: [try identity()]
      case .network: [try network(), listening]
      case .terminal: terminal
      }
    } catch {
      let failure = Failure(error)
      return [Finding(state: .wrong, text: failure.words ?? "\(error)", hint: failure.hint)]
    }
  }

  private var program: Finding {
    Finding(state: .right, text: "version \(Parlor.version), protocol \(Parlor.protocolVersion)")
  }

  // MARK: - The data folder

  private func data() throws -> [Finding] {
    let folder = try context.store.folder()
    try folder.check()
    let shown = SafeText(folder.path).text
    guard FileSystem.exists(folder.path) else {
      let above = Self.existingFolder(above: folder.path)
      guard FileSystem.mayWrite(in: above) else {
        return [
          Finding(
            state: .wrong, text: "\(shown) is not there, and \(SafeText(above).text) cannot be written to",
            hint: "name another folder with --data DIR or PARLOR_HOME")
        ]
      }
      return [Finding(state: .right, text: "\(shown) is made by the first game")] + (try space(above))
    }
    guard FileSystem.mayWrite(in: folder.path) else {
      return [
        Finding(
          state: .wrong, text: "\(shown) cannot be written to by this user",
          hint: "change who may write there, or name another folder with --data DIR or PARLOR_HOME")
      ]
    }
    guard try !FileSystem.isRemote(folder.path) else {
      return [
        Finding(
          state: .wrong,
          text: "\(shown) lies on a network's file system, where the store cannot be locked safely",
          hint: "name a folder of this machine with --data DIR or PARLOR_HOME")
      ]
    }
    return [Finding(state: .right, text: "\(shown) can be written to")] + (try space(folder.path))
  }

  private func space(_ path: String) throws -> [Finding] {
    let free = try FileSystem.freeBytes(at: path)
    guard free < Self.littleBytes else { return [] }
    return [
      Finding(
        state: .remark, text: "\(SizeText.text(Int(clamping: free))) are free on its file system",
        hint: "`parlor log prune` removes games of others")
    ]
  }

  /// The nearest folder above a path that is there.
  private static func existingFolder(above path: String) -> String {
    var place = path.hasPrefix("/") ? path : "./" + path
    repeat { place = FileSystem.parent(of: place) } while !FileSystem.exists(place) && place != "/"
    return place
  }

  private func store() async throws -> Finding {
    let log: LMDBEventLog
    do { log = try context.store.reader() } catch LogError.noStore {
      return Finding(state: .right, text: "there is none yet; the first game makes it")
    }
    let (rooms, faults) = try log.roomIDs()
    if let fault = faults.first {
      return Finding(
        state: .wrong, text: fault, hint: "`parlor log verify` says what is lost; other rooms can be exported"
      )
    }
    let count = Room.count(rooms.count, "room")
    let folder = try context.store.folder().path
    guard let client = try await ServiceClient.connect(folder: folder, log: log, games: context.games) else {
      return Finding(state: .right, text: "\(count)")
    }
    await client.close()
    return Finding(
      state: .right, text: "\(count); another process has it, and commands work through that one")
  }

  private func identity() throws -> Finding {
    let folder = try context.store.folder().path
    do {
      let key = try Identity.load(folder: folder)
      return Finding(state: .right, text: "peer \(key.peer.short), readable by this user alone")
    } catch IdentityError.missing {
      return Finding(state: .right, text: "there is none yet; the first game makes it")
    }
  }

  // MARK: - The network

  private func network() throws -> Finding {
    let network = try context.store.network()
    let name = network == .standard ? "everybody's network" : "a network of its own"
    let interfaces = LocalInterfaces.names
    guard !interfaces.isEmpty else {
      return Finding(
        state: .remark, text: "\(name); no interface reaches others nearby",
        hint:
          "games on this machine work; `parlor join CODE --connect HOST:PORT` reaches a peer by its address")
    }
    let shown = interfaces.map { SafeText($0).text }.joined(separator: ", ")
    return Finding(state: .right, text: "\(name); peers nearby are found on \(shown)")
  }

  private var listening: Finding {
    do throws(SystemError) {
      try ListeningCheck.run()
      return Finding(state: .right, text: "this process may wait for connections")
    } catch {
      return Finding(
        state: .wrong, text: "this process cannot wait for connections: \(error.words)",
        hint: "games against bots work; what is needed is a TCP socket on any port")
    }
  }

  // MARK: - The terminal

  private var terminal: [Finding] {
    let output = context.console.output
    guard output.isTerminal else {
      return [Finding(state: .right, text: "standard output is none: lines without colour")]
    }
    guard output.movesCursor else {
      return [
        Finding(
          state: .remark, text: "TERM is dumb: games are told in lines",
          hint: "set TERM to what the terminal is")
      ]
    }
    guard let columns = output.descriptor.terminalColumns, let rows = output.descriptor.terminalRows else {
      return [
        Finding(state: .remark, text: "it does not say its size: games are told in lines")
      ]
    }
    var findings = [Finding(state: .right, text: "\(columns) columns, \(rows) rows")]
    if columns < TableScreen.leastColumns || rows < TableScreen.leastRows {
      findings[0] = Finding(
        state: .remark, text: "\(columns) columns, \(rows) rows: games are told in lines",
        hint: "\(TableScreen.leastColumns) columns and \(TableScreen.leastRows) rows are enough for a screen")
    }
    if !output.drawing.hasUnicode {
      findings.append(
        Finding(
          state: .remark, text: "the locale is not UTF-8: letters stand for emoji",
          hint: "set LANG to C.UTF-8, or to your language's UTF-8"))
    }
    return findings
  }
}
