import Testing

@testable import Web

/// Codes that cameras read; what is in them is read again in `cup.py`, by a reader that shares no code.
@Suite struct QRCodeTests {
  @Test("Codes have the size that their texts ask for, and three finders", arguments: [1, 14, 30, 512])
  func squares(_ bytes: Int) {
    let rows = QRCode(String(repeating: "x", count: bytes)).rows
    #expect(rows.count == [1: 21, 14: 21, 30: 29, 512: 89][bytes])
    #expect(rows.allSatisfy { $0.utf8.count == rows.count && $0.allSatisfy { "01".contains($0) } })
    let corners = [rows[0].prefix(7), rows[0].suffix(7), rows[rows.count - 7].prefix(7)]
    #expect(corners.allSatisfy { $0 == "1111111" } && rows[rows.count - 7].suffix(7) != "1111111")
  }
}
