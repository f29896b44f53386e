import TestKit

extension SeededGenerator {
  mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<max(1, bound), using: &self) }

  /// A text of characters that make trouble, mixed with ordinary ones and any at all.
  mutating func text(limitScalars: Int) -> String {
    let trouble: [ClosedRange<UInt32>] = [
      0x00...0x7F, 0x20...0x7E, 0x80...0xFF, 0x300...0x36F, 0x200B...0x206F, 0xFE00...0xFE0F,
      0x1F1E6...0x1F1FF,
      0x1F3FB...0x1F64F, 0x1100...0x11FF, 0x900...0x97F, 0x4E00...0x4E20, 0xE0000...0xE007F, 0...0xD7FF,
      0xE000...0x10FFFF,
    ]
    var view = String.UnicodeScalarView()
    for _ in 0..<below(limitScalars + 1) {
      let value = UInt32.random(in: trouble[below(trouble.count)], using: &self)
      if let scalar = Unicode.Scalar(value) { view.append(scalar) }
    }
    return String(view)
  }
}
