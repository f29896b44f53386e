import BotKit
import Foundation
import Testing

/// A way in which the bytes of a store's data file can be wrong.
enum Damage: String, CaseIterable, CustomTestStringConvertible {
  case bit
  case byte
  case manyBits
  /// False offsets in the header of a page.
  case pageHeader
  case page
  /// A page that was never written.
  case zeroPage
  /// A page that was written to the place of another.
  case misplacedPage
  /// A branch that leads to any page, such as back to itself.
  case falseBranch
  /// A page that is in use, in the list of free ones.
  case freedPage
  /// Another number in a meta page, behind LMDB's marks.
  case meta

  var testDescription: String { rawValue }

  private static let pageBytes = 4_096
  /// The flag of a branch page, at byte 10 of its header.
  private static let branchFlag: UInt8 = 1

  /// The file with one such damage, the same for the same seed.
  func applied(to whole: Data, seed: UInt64) -> Data {
    var bytes = whole
    var random = RandomStream(seed: seed)
    func place(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }
    func any() -> UInt8 { UInt8.random(in: .min ... .max, using: &random) }
    let pages = whole.count / Self.pageBytes
    // Pages 0 and 1 are the meta pages.
    let page = place(2..<pages) * Self.pageBytes
    switch self {
    case .bit: bytes[place(0..<bytes.count)] ^= 1 << UInt8(place(0..<8))
    case .byte: bytes[place(0..<bytes.count)] = any()
    case .manyBits: for _ in 0..<64 { bytes[place(0..<bytes.count)] ^= 1 << UInt8(place(0..<8)) }
    case .pageHeader: for index in 16..<40 { bytes[page + index] = any() }
    case .page: for index in 0..<Self.pageBytes { bytes[page + index] = any() }
    case .zeroPage: bytes.replaceSubrange(page..<page + Self.pageBytes, with: Data(count: Self.pageBytes))
    case .misplacedPage:
      let other = place(2..<pages) * Self.pageBytes
      bytes.replaceSubrange(page..<page + Self.pageBytes, with: whole[other..<other + Self.pageBytes])
    case .falseBranch:
      let branches = (2..<pages).filter { whole[$0 * Self.pageBytes + 10] == Self.branchFlag }
      guard let branch = branches.randomElement(using: &random) else { return bytes }
      // Offsets of nodes follow the header; a node begins with the number of its child's page.
      let start = branch * Self.pageBytes
      let nodes = (Int(whole[start + 12]) | Int(whole[start + 13]) << 8) / 2 - 8
      let slot = start + 16 + 2 * place(0..<max(1, nodes))
      let node = start + (Int(whole[slot]) | Int(whole[slot + 1]) << 8)
      let child = place(2..<pages)
      bytes[node] = UInt8(truncatingIfNeeded: child)
      bytes[node + 1] = UInt8(truncatingIfNeeded: child >> 8)
    case .freedPage: freePage(in: &bytes, &random)
    case .meta: bytes[place(0..<2) * Self.pageBytes + place(24..<152)] = any()
    }
    return bytes
  }
  /// Puts the root of the main tree into the list of free pages, in the place of any page that stands there.
  private func freePage(in bytes: inout Data, _ random: inout RandomStream) {
    func number(_ count: Int, at offset: Int) -> Int {
      (0..<count).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
    }
    let meta = number(8, at: 144) < number(8, at: Self.pageBytes + 144) ? Self.pageBytes : 0
    // A list of one leaf: a node for each commit, with the count of its pages and their numbers.
    let (depth, leaf, root) = (number(2, at: meta + 46), number(8, at: meta + 80), number(8, at: meta + 128))
    precondition(depth == 1, "the list of free pages has depth \(depth)")
    let start = leaf * Self.pageBytes
    let slots = Array(stride(from: start + 16, to: start + number(2, at: start + 12), by: 2))
    let lists = slots.map { start + number(2, at: $0) + 16 }.filter { number(8, at: $0) > 0 }
    guard let list = lists.randomElement(using: &random) else { return }
    let entry = list + 8 * Int.random(in: 1...number(8, at: list), using: &random)
    for index in 0..<8 { bytes[entry + index] = UInt8(truncatingIfNeeded: root >> (8 * index)) }
  }
}
