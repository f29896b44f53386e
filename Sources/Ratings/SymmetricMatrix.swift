/// A symmetric matrix of doubles: factored, solved and inverted by Cholesky's method, in one fixed order.
struct SymmetricMatrix {
  let size: Int
  /// The lower triangle by rows.
  private var values: [Double]

  init(size: Int) {
    self.size = size
    values = [Double](repeating: 0, count: size * (size + 1) / 2)
  }

  private func place(_ row: Int, _ column: Int) -> Int {
    row >= column ? row * (row + 1) / 2 + column : column * (column + 1) / 2 + row
  }

  subscript(row: Int, column: Int) -> Double {
    get { values[place(row, column)] }
    set { values[place(row, column)] = newValue }
  }

  /// The matrix with each element so many times as large.
  func times(_ factor: Double) -> SymmetricMatrix {
    var product = self
    product.values = values.map { $0 * factor }
    return product
  }

  /// The lower factor; `nil` when the matrix is not positive definite as far as doubles can tell.
  func factored() -> SymmetricMatrix? {
    var factor = self
    for row in 0..<size {
      let start = row * (row + 1) / 2
      for column in 0...row {
        let other = column * (column + 1) / 2
        var sum = values[start + column]
        for index in 0..<column { sum -= factor.values[start + index] * factor.values[other + index] }
        guard row == column else {
          factor.values[start + column] = sum / factor.values[other + column]
          continue
        }
        guard sum > values[start + row] * 1e-13, sum.isFinite else { return nil }
        factor.values[start + row] = sum.squareRoot()
      }
    }
    return factor
  }

  /// Solves for a right side, of a factor.
  func solving(_ right: [Double]) -> [Double] {
    var result = right
    for row in 0..<size {
      let start = row * (row + 1) / 2
      for index in 0..<row { result[row] -= values[start + index] * result[index] }
      result[row] /= values[start + row]
    }
    for row in (0..<size).reversed() {
      for below in (row + 1)..<max(row + 1, size) {
        result[row] -= values[below * (below + 1) / 2 + row] * result[below]
      }
      result[row] /= values[row * (row + 1) / 2 + row]
    }
    return result
  }

  /// The inverse, of a factor.
  func inverse() -> SymmetricMatrix {
    var inverse = SymmetricMatrix(size: size)
    var unit = [Double](repeating: 0, count: size)
    for column in 0..<size {
      unit[column] = 1
      let solved = solving(unit)
      unit[column] = 0
      for row in column..<size { inverse[row, column] = solved[row] }
    }
    return inverse
  }
}
