/// The likelihood as a function of the ratings and, as the last unknown, of what moving first is worth.
struct EloModel {
  let games: [Games]
  let players: Int
  let advantage: Bool
  let hasPrior: Bool

  /// Games between two places of the group in which one moved first.
  struct Games {
    let first: Int
    let second: Int
    let count: Double
    let points: Double
    let draws: Double
  }

  /// How many steps are tried; some ten are needed.
  private static var limitSteps: Int { 200 }
  /// The most players whose matrix is factored: time grows with the third power.
  static var limitFactored: Int { 400 }

  /// Whether there are few enough players for a matrix.
  var isFactored: Bool { players <= Self.limitFactored }

  var size: Int { players + (advantage ? 1 : 0) }

  /// The logistic argument of who moves first.
  private func units(_ games: Games, _ unknowns: [Double]) -> Double {
    unknowns[games.first] - unknowns[games.second] + (advantage ? unknowns[players] : 0)
  }

  /// The unknowns of the largest likelihood; `nil` when there are none.
  func maximum() -> [Double]? {
    var unknowns = [Double](repeating: 0, count: size)
    var likelihood = logLikelihood(at: unknowns)
    for _ in 0..<Self.limitSteps {
      guard var step = step(at: unknowns) else { return nil }
      var next = zip(unknowns, step).map { $0 + $1 }
      var nextLikelihood = logLikelihood(at: next)
      for _ in 0..<60 where !(nextLikelihood >= likelihood - 1e-12 * (1 + likelihood.magnitude)) {
        step = step.map { $0 / 2 }
        next = zip(unknowns, step).map { $0 + $1 }
        nextLikelihood = logLikelihood(at: next)
      }
      unknowns = next
      likelihood = nextLikelihood
      if step.allSatisfy({ $0.magnitude < 1e-10 }) { return unknowns }
    }
    return hasPrior ? unknowns : nil
  }

  /// Newton's step; `nil` where there is none.
  private func step(at unknowns: [Double]) -> [Double]? {
    let gradient = gradient(at: unknowns)
    guard isFactored else { return conjugateGradient(gradient, at: unknowns) }
    return information(at: unknowns).factored()?.solving(gradient)
  }

  private func logLikelihood(at unknowns: [Double]) -> Double {
    var sum = 0.0
    for games in games {
      let units = units(games, unknowns)
      sum += games.points * Self.logOfLogistic(units)
      sum += (games.count - games.points) * Self.logOfLogistic(-units)
    }
    guard hasPrior else { return sum }
    for unknown in unknowns {
      sum += (Self.logOfLogistic(unknown) + Self.logOfLogistic(-unknown)) / 2
    }
    return sum
  }

  /// log(1 / (1 + e^−x)), without overflow.
  private static func logOfLogistic(_ x: Double) -> Double {
    min(x, 0) - Elementary.log(1 + Elementary.exp(-x.magnitude))
  }

  private func gradient(at unknowns: [Double]) -> [Double] {
    var gradient = [Double](repeating: 0, count: size)
    for games in games {
      let surplus = games.points - games.count * Elo.logistic(units(games, unknowns))
      gradient[games.first] += surplus
      gradient[games.second] -= surplus
      if advantage { gradient[players] += surplus }
    }
    if hasPrior { for place in unknowns.indices { gradient[place] += 0.5 - Elo.logistic(unknowns[place]) } }
    return gradient
  }

  /// Minus the second derivatives. Without prior a constant holds the mean at zero.
  func information(at unknowns: [Double]) -> SymmetricMatrix {
    var matrix = SymmetricMatrix(size: size)
    for games in games {
      let weight = games.count * Self.slope(units(games, unknowns))
      matrix[games.first, games.first] += weight
      matrix[games.second, games.second] += weight
      matrix[games.first, games.second] -= weight
      guard advantage else { continue }
      matrix[players, players] += weight
      matrix[players, games.first] += weight
      matrix[players, games.second] -= weight
    }
    if hasPrior {
      for place in unknowns.indices { matrix[place, place] += Self.slope(unknowns[place]) }
    } else {
      let hold = (0..<players).reduce(0.0) { $0 + matrix[$1, $1] } / Double(players * players)
      for row in 0..<players {
        for column in 0...row { matrix[row, column] += hold }
      }
    }
    return matrix
  }

  private static func slope(_ x: Double) -> Double { Elo.logistic(x) * Elo.logistic(-x) }

  /// How much the scores of games vary, compared with games that are never drawn.
  func dispersion(at unknowns: [Double]) -> Double {
    var (all, drawn) = (0.0, 0.0)
    for games in games {
      all += games.count * Self.slope(units(games, unknowns))
      drawn += games.draws / 4
    }
    return all > 0 ? max(0, 1 - drawn / all) : 1
  }
}

// MARK: - Many players

extension EloModel {
  /// Newton's step by conjugate gradients, scaled by the diagonal: the matrix is not made.
  private func conjugateGradient(_ gradient: [Double], at unknowns: [Double]) -> [Double]? {
    let weights = games.map { $0.count * Self.slope(units($0, unknowns)) }
    let pulls = hasPrior ? unknowns.map(Self.slope) : []
    let diagonal = diagonal(at: unknowns)
    guard diagonal.allSatisfy({ $0 > 0 }) else { return nil }
    var step = [Double](repeating: 0, count: size)
    // Without prior only differences of ratings matter: what rounding adds to all of them must not grow.
    var rest = centred(gradient)
    var scaled = zip(rest, diagonal).map { $0 / $1 }
    var direction = scaled
    var norm = Self.product(rest, scaled)
    let end = norm * 1e-20
    for _ in 0..<Self.limitRounds where norm > end {
      let image = image(of: direction, weights, pulls)
      let curve = Self.product(direction, image)
      guard curve > 0 else { break }
      let length = norm / curve
      for place in step.indices {
        step[place] += length * direction[place]
        rest[place] -= length * image[place]
        scaled[place] = rest[place] / diagonal[place]
      }
      let next = Self.product(rest, scaled)
      for place in step.indices { direction[place] = scaled[place] + next / norm * direction[place] }
      norm = next
    }
    return centred(step)
  }

  private func centred(_ vector: [Double]) -> [Double] {
    guard !hasPrior else { return vector }
    let mean = vector[..<players].reduce(0, +) / Double(players)
    return vector.indices.map { $0 < players ? vector[$0] - mean : vector[$0] }
  }

  private static var limitRounds: Int { 2000 }

  private static func product(_ one: [Double], _ other: [Double]) -> Double {
    zip(one, other).reduce(0) { $0 + $1.0 * $1.1 }
  }

  /// The information matrix times a vector.
  private func image(of vector: [Double], _ weights: [Double], _ pulls: [Double]) -> [Double] {
    var image = hasPrior ? zip(pulls, vector).map { $0 * $1 } : [Double](repeating: 0, count: size)
    for (games, weight) in zip(games, weights) {
      let flow = weight * units(games, vector)
      image[games.first] += flow
      image[games.second] -= flow
      if advantage { image[players] += flow }
    }
    return image
  }

  /// The diagonal of the information matrix: what is known of each unknown where all others are known.
  func diagonal(at unknowns: [Double]) -> [Double] {
    var diagonal = hasPrior ? unknowns.map(Self.slope) : [Double](repeating: 0, count: size)
    for games in games {
      let weight = games.count * Self.slope(units(games, unknowns))
      diagonal[games.first] += weight
      diagonal[games.second] += weight
      if advantage { diagonal[players] += weight }
    }
    return diagonal
  }
}
