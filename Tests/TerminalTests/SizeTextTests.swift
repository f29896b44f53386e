import Testing

@testable import Terminal

@Suite struct SizeTextTests {
  @Test func sizesAreReadOrRefused() {
    let sizes = ["0": 0, "17": 17, "1K": 1_024, "300M": 300 << 20, "2g": 2 << 30]
    // tidy: order does not matter because each is looked at by itself
    for (text, bytes) in sizes { #expect(SizeText.bytes(text) == bytes) }
    for text in ["", "K", "-1", "1.5M", "1T", "9999999999G", "99999999999999999999", "1 M", "é"] {
      #expect(SizeText.bytes(text) == nil, "\(text)")
    }
  }

  @Test func spansAreReadOrRefused() {
    let spans: [String: UInt64] = ["5s": 5_000, "2m": 120_000, "1h": 3_600_000, "30d": 2_592_000_000]
    // tidy: order does not matter because each is looked at by itself
    for (text, span) in spans { #expect(SizeText.milliseconds(text) == span) }
    for text in ["", "d", "5", "-1d", "1.5h", "3w", "99999999999999999d"] {
      #expect(SizeText.milliseconds(text) == nil, "\(text)")
    }
  }

  @Test func sizesAreWritten() {
    #expect(
      [0, 1, 1_023, 1_024, 1_536, 5 << 20, 3 << 30].map(SizeText.text) == [
        "0 bytes", "1 byte", "1023 bytes", "1.0 KiB", "1.5 KiB", "5.0 MiB", "3.0 GiB",
      ])
  }
}
