/// Exponentials, logarithms and the normal distribution, from additions, multiplications, divisions and square roots
/// alone.
///
/// IEEE 754 fixes the result of those four to the last bit, and not that of a C library's `exp` and `log`. So ratings
/// have the same bits on every machine. The results are a few units in the last place off at the most; tests compare
/// them with the C library.
package enum Elementary {
  /// The natural logarithm of ten.
  package static let ln10 = 2.302585092994046
  /// The natural logarithm of two, in a part whose products with small integers are exact, and the rest.
  private static let ln2High = 0x1.62e42feep-1
  private static let ln2Low = 0x1.a39ef35793c76p-33

  /// e to the power of `x`; infinite above 709.78, zero below −745.13.
  package static func exp(_ x: Double) -> Double {
    guard x.isFinite else { return x == -.infinity ? 0 : x }
    guard x <= 709.782712893384 else { return .infinity }
    guard x >= -745.1332191019411 else { return 0 }
    let power = (x / (ln2High + ln2Low)).rounded()
    let rest = (x - power * ln2High) - power * ln2Low
    // The Taylor series; |rest| is below 0.35, so what is left out is below a tenth of a unit in the last place.
    var sum = 1.0
    for divisor in (1...14).reversed() { sum = 1 + sum * rest / Double(divisor) }
    // In two steps, because two to the power of 1024 is no number.
    let half = Int(power) / 2
    return sum * powerOfTwo(half) * powerOfTwo(Int(power) - half)
  }

  /// The natural logarithm; −∞ of zero, not a number below.
  package static func log(_ x: Double) -> Double {
    guard x > 0 else { return x == 0 ? -.infinity : .nan }
    guard x.isFinite else { return x }
    var fraction = x.significand
    var power = Double(x.exponent)
    if fraction > 1.4142135623730951 {
      fraction /= 2
      power += 1
    }
    // log m = 2 artanh((m − 1) / (m + 1)); |t| is below 0.172.
    let t = (fraction - 1) / (fraction + 1)
    let square = t * t
    var series = 0.0
    for half in (1...13).reversed() { series = (series + 1 / Double(2 * half + 1)) * square }
    return power * ln2High + (2 * t + (2 * t * series + power * ln2Low))
  }

  /// The share of the standard normal distribution below `z`.
  package static func normal(below z: Double) -> Double {
    guard !z.isNaN else { return .nan }
    guard z.magnitude < 38.6 else { return z < 0 ? 0 : 1 }
    // Abramowitz and Stegun 26.2.11 near the middle, the continued fraction 26.2.14 in the tails.
    let density = exp(-z * z / 2) / 2.5066282746310002
    if z.magnitude < 3 {
      var term = z
      var sum = z
      var odd = 1.0
      while term.magnitude > sum.magnitude * 1e-18, odd < 200 {
        odd += 2
        term *= z * z / odd
        sum += term
      }
      return 0.5 + density * sum
    }
    var fraction = z.magnitude
    for level in (1...120).reversed() { fraction = z.magnitude + Double(level) / fraction }
    return z < 0 ? density / fraction : 1 - density / fraction
  }

  private static func powerOfTwo(_ exponent: Int) -> Double {
    Double(sign: .plus, exponent: exponent, significand: 1)
  }
}
