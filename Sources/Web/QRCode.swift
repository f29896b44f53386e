internal import CQREncode

/// A text as a square of dark and light modules (ISO/IEC 18004), which cameras read.
struct QRCode: Equatable {
  /// The modules of each row, from the top: `1` for a dark one, `0` for a light one. There is no margin.
  let rows: [String]

  /// The most bytes of a text.
  static let limitBytes = 512

  /// The code of a text of 1 to ``limitBytes`` bytes, of which a seventh may be unreadable.
  init(_ text: String) {
    let bytes = Array(text.utf8)
    precondition((1...Self.limitBytes).contains(bytes.count), "a code is of 1 to \(Self.limitBytes) bytes")
    guard let made = unsafe QRcode_encodeData(Int32(bytes.count), bytes, 0, QR_ECLEVEL_M) else {
      preconditionFailure("there is no memory for a code of \(bytes.count) bytes")
    }
    // SAFETY: the library has made a square of so many bytes, each a module, which is freed once.
    defer { unsafe QRcode_free(made) }
    let width = unsafe Int(made.pointee.width)
    let modules = unsafe UnsafeBufferPointer(start: made.pointee.data, count: width * width)
    rows = (0..<width).map { row in
      unsafe String(modules[(row * width)..<((row + 1) * width)].map { $0 & 1 == 1 ? "1" : "0" })
    }
  }
}
