import Evolution
import Games
import Pictures
import Terminal

/// `parlor dilemma moran`.
enum DilemmaMoranCommand: Command {
  private static let copies = 1...10_000
  private static let steps = 1...100_000_000
  private static let runs = 1...100_000
  /// How many moments of a run are told.
  private static let limitMoments = 512

  static let definition = CommandDefinition(
    "dilemma moran", group: Group.tournaments,
    summary: "Let strategies of the prisoner's dilemma compete for the places of a population.",
    text: [
      "A Moran process: in each step an individual, drawn by what it gains from all others, has a child of its own"
        + " strategy, and one, all equally likely, the parent too, dies for it. It ends when all individuals have one"
        + " strategy (fixation), or after --steps; with --mutation only then.",
      DilemmaPopulation.text,
      "Of two strategies that are equally good one copy among N takes over once in N runs; `--copies 1 --runs 1000"
        + " --entrants A,B,B,B` tells how often A does. The same seed gives the same runs.",
      "`csv` has a line for each run, or of one run the numbers at up to \(limitMoments) moments; `svg` is a picture"
        + " of one run.",
    ],
    options: DilemmaPopulation.options + [
      .value("copies", "N", "How many individuals each name stands for.", standard: "10"),
      .value(
        "mutation", "N", "In how many of 1000 births the child has another strategy of those named.",
        standard: "0"),
      .value("steps", "N", "After how many steps a run ends without fixation.", standard: "1000000"),
      .value("runs", "N", "How many runs there are.", standard: "1"),
    ],
    examples: [
      .init(
        "dilemma moran --entrants axelrod-first --set rounds=200 --set payoffs=axelrod --seed 7",
        "Ten copies of each entry of the first tournament."),
      .init(
        "dilemma moran --entrants tit-for-tat,defector,defector --copies 5 --runs 1000 --set rounds=50",
        "How often five of 15 take over."),
      .init(
        "dilemma moran --entrants grudger,bully,random --mutation 10 --steps 20000 --format svg > moran.svg",
        "A picture of a run with mutation."),
    ],
    exitStatuses: [.init(.interrupted, "Interrupted by Ctrl-C; nothing is kept.")],
    objects: [
      .init(
        "moment", "Of a single run, at its start, at its end, and at moments equally far from each other.",
        ["step": "how many steps were made", "counts": "how many individuals each strategy has"]),
      .init(
        "run", "For each run.",
        [
          "run": "its number, from 1", "steps": "how many steps it took",
          "fixed": "the strategy that all individuals have at the end, or null",
        ]),
      .init("moran", "At the end.", DilemmaPopulation.fields),
    ])

  /// How a run ended.
  private struct End {
    let steps: Int
    let fixed: Int?
  }

  static func run(_ parsed: ParsedCommand, _ context: Context) async throws -> ExitStatus {
    let population = try DilemmaPopulation(parsed, context)
    let plan = try Plan(parsed, population)
    let format = context.isJSON ? "json" : parsed.text("format") ?? "text"
    if format == "svg", plan.runs > 1 { throw parsed.badValue("format", "a picture is of one run") }
    guard let encounters = population.encounters(context) else {
      context.console.note("Stopped before the first step; nothing is kept.")
      return .interrupted
    }
    guard let (ends, moments) = runs(population, plan, population.gains(encounters), context) else {
      return .interrupted
    }
    try tell(format, population, plan, encounters, ends, moments, context)
    return .ok
  }

  /// How all runs ended, and of a single one the numbers on the way; `nil` when it was asked to stop.
  private static func runs(
    _ population: DilemmaPopulation, _ plan: Plan, _ table: GainTable, _ context: Context
  ) -> ([End], [Course<Int>.Moment])? {
    var (ends, course): ([End], Course<Int>) = ([], Course(limit: limitMoments))
    let isOne = plan.runs == 1
    let line = ProgressLine(
      on: context.console, label: "moran", unit: isOne ? "steps" : "runs",
      total: isOne ? plan.steps : plan.runs, now: ContinuousClock().stopwatch)
    defer { line.finish() }
    for run in 0..<plan.runs {
      var process = MoranProcess(
        table, counts: plan.counts, mutation: plan.mutation, chance: population.chance(ofRun: run))
      var isOver = false
      while !isOver {
        isOver = process.steps == plan.steps || plan.mutation == 0 && process.fixed != nil
        if isOne { course.take(process.steps, process.counts, isLast: isOver) }
        if process.steps.isMultiple(of: 1_024) {
          if context.interrupts.isStopRequested {
            line.finish()
            context.console.note("Stopped after \(process.steps) steps of run \(run + 1); nothing is kept.")
            return nil
          }
          if isOne { line.advance(to: process.steps) }
        }
        if !isOver { process.step() }
      }
      ends.append(End(steps: process.steps, fixed: process.fixed))
      if !isOne { line.advance(to: run + 1) }
    }
    return (ends, course.moments)
  }

  /// What the options say besides the population.
  private struct Plan {
    let counts: [Int]
    let mutation: Int
    let steps: Int
    let runs: Int

    init(_ parsed: ParsedCommand, _ population: DilemmaPopulation) throws {
      let copies = try parsed.integer("copies", in: DilemmaMoranCommand.copies) ?? 1
      counts = population.counts.map { $0 * copies }
      mutation = try parsed.integer("mutation", in: MoranProcess.mutations) ?? 0
      steps = try parsed.integer("steps", in: DilemmaMoranCommand.steps) ?? 1
      runs = try parsed.integer("runs", in: DilemmaMoranCommand.runs) ?? 1
      let size = counts.reduce(0, +)
      guard MoranProcess.sizes.contains(size) else {
        throw parsed.badValue(
          "copies", "\(size) individuals are more than \(MoranProcess.sizes.upperBound)")
      }
    }
  }

  private static func tell(
    _ format: String, _ population: DilemmaPopulation, _ plan: Plan,
    _ encounters: PrisonersDilemma.Encounters, _ ends: [End], _ moments: [Course<Int>.Moment],
    _ context: Context
  ) throws {
    let names = population.names
    switch format {
    case "json":
      for moment in moments {
        try context.object(
          "moment",
          [
            "step": .integer(Int64(moment.time)),
            "counts": .array(moment.numbers.map { .integer(Int64($0)) }),
          ])
      }
      for (run, end) in ends.enumerated() {
        try context.object(
          "run",
          [
            "run": .integer(Int64(run + 1)), "steps": .integer(Int64(end.steps)),
            "fixed": .optional(end.fixed.map { names[$0] }),
          ])
      }
      try context.object("moran", population.members(encounters))
    case "csv" where plan.runs > 1:
      let lines = ends.enumerated().map { run, end in
        CSVText.line(["\(run + 1)", "\(end.steps)", end.fixed.map { names[$0] } ?? ""])
      }
      try context.console.data(["run,steps,fixed"] + lines)
    case "csv":
      let lines = moments.map { CSVText.line(["\($0.time)"] + $0.numbers.map(String.init)) }
      try context.console.data([CSVText.line(["step"] + names)] + lines)
    case "svg":
      let size = Double(plan.counts.reduce(0, +))
      let shares = moments.map { moment in
        ShareChart.Moment(time: moment.time, shares: moment.numbers.map { Double($0) / size })
      }
      let title = "Moran process: \(population.settings)"
      try context.console.data(
        ShareChart(title: title, unit: "step", names: names, moments: shares).svg())
    default: try context.pages(text(population, plan, ends, moments.last?.numbers, context))
    }
  }

  /// How many individuals each strategy had, and how many runs it took over; the most at the end first.
  /// - Parameter last: the numbers at the end of the only run.
  private static func text(
    _ population: DilemmaPopulation, _ plan: Plan, _ ends: [End], _ last: [Int]?, _ context: Context
  ) -> [String] {
    let takeovers = population.names.indices.map { strategy in ends.count { $0.fixed == strategy } }
    let end = last ?? takeovers
    var table = TextTable([
      .text("STRATEGY", shrinks: false), .number("START"), .number(last == nil ? "RUNS" : "END"),
      .number("SHARE"),
    ])
    let total = max(1, end.reduce(0, +))
    for strategy in population.names.indices.sorted(by: { (-end[$0], $0) < (-end[$1], $1) }) {
      table.append([
        population.names[strategy], "\(plan.counts[strategy])", "\(end[strategy])",
        DecimalText.percent(Double(end[strategy]) / Double(total)),
      ])
    }
    let size = plan.counts.reduce(0, +)
    let mean = Double(ends.reduce(0) { $0 + $1.steps }) / Double(ends.count)
    let undecided = ends.count { $0.fixed == nil }
    var words: String
    if last == nil {
      words =
        "\(Room.count(ends.count, "run")) of \(DecimalText.text(mean, digits: 1)) steps on average; RUNS is how"
        + " many a strategy took over."
      if undecided > 0 { words += " \(undecided) ended without fixation." }
    } else if let fixed = ends[0].fixed {
      words = "\(population.names[fixed]) has taken over after \(Room.count(ends[0].steps, "step"))."
    } else {
      words = "Nobody has taken over after \(Room.count(ends[0].steps, "step"))."
    }
    return ["\(Room.count(size, "individual")); \(population.settings)", ""] + context.lines(of: table)
      + ["", words]
  }
}
