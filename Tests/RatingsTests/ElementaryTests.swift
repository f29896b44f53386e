import Foundation
import Ratings
import TestKit
import Testing

/// Our elementary functions beside those of the C library.
@Suite struct ElementaryTests {
  private func units(_ ours: Double, _ theirs: Double) -> Double { (ours - theirs).magnitude / theirs.ulp }

  @Test func exponential() {
    for step in -7_440...7_097 {
      let x = Double(step) * 0.1
      #expect(units(Elementary.exp(x), exp(x)) <= 3, "exp(\(x))")
    }
    #expect(Elementary.exp(0) == 1)
    #expect(Elementary.exp(710) == .infinity && Elementary.exp(.infinity) == .infinity)
    #expect(Elementary.exp(-746) == 0 && Elementary.exp(-.infinity) == 0)
    #expect(Elementary.exp(.nan).isNaN)
  }

  @Test func logarithm() {
    var random = SeededGenerator(state: 1)
    for _ in 0..<5000 {
      let x = Double(bitPattern: UInt64.random(in: 1..<0x7FF0_0000_0000_0000, using: &random))
      #expect(units(Elementary.log(x), log(x)) <= 3, "log(\(x))")
    }
    for step in 1..<4000 {
      let x = Double(step) / 2000
      #expect(x == 1 || units(Elementary.log(x), log(x)) <= 3, "log(\(x))")
    }
    #expect(Elementary.log(1) == 0)
    #expect(Elementary.log(0) == -.infinity && Elementary.log(.infinity) == .infinity)
    #expect(Elementary.log(-1).isNaN && Elementary.log(.nan).isNaN)
  }

  @Test func normalDistribution() {
    for step in -3600...900 {
      let z = Double(step) / 100
      let theirs = erfc(-z / 2.0.squareRoot()) / 2
      #expect((Elementary.normal(below: z) / theirs - 1).magnitude < 1e-12, "at \(z)")
    }
    #expect(Elementary.normal(below: 0) == 0.5)
    #expect(Elementary.normal(below: -.infinity) == 0 && Elementary.normal(below: .infinity) == 1)
    #expect(Elementary.normal(below: .nan).isNaN)
  }

  /// Bits that every machine must find: what is computed here decides ratings.
  @Test func bits() {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for step in 1...2000 {
      let x = Double(step) * 0.037
      let values = [
        Elementary.exp(x), Elementary.exp(-x), Elementary.log(x), Elementary.normal(below: 2 - x),
      ]
      for value in values {
        hash = (hash ^ value.bitPattern) &* 0x100_0000_01B3
      }
    }
    #expect(hash == 5_796_830_423_582_582_385)
  }
}
