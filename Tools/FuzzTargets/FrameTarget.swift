import Events
import Service

/// Any bytes as a frame between a command and the process that has its data folder: refused, or in the one form of
/// what it says, in whatever portions it comes.
enum FrameTarget {
  static func run(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    var framed: [UInt8] = []
    framed.append(bigEndian: UInt32(bytes.count))
    framed += bytes
    do throws(FormatError) {
      let frame = try ServiceFrame(decoding: bytes)
      Fuzz.promise(frame.encoded() == framed, "written again, the frame is another")
      if case .table(_, _, let json) = frame { readTable(json) }
      var assembler = FrameAssembler()
      var assembled: [ServiceFrame] = []
      for byte in framed { assembled += try assembler.take([byte]) }
      Fuzz.promise(assembled == [frame], "byte by byte, the frame is another")
    } catch {
      var assembler = FrameAssembler()
      do throws(FormatError) {
        Fuzz.promise(try assembler.take(framed).isEmpty, "a frame that is refused is taken")
      } catch {}
    }
  }

  /// What a frame holds of a table may be a whole one.
  private static func readTable(_ json: [UInt8]) {
    do throws(FormatError) {
      let table = try TableView(json: json)
      Fuzz.promise(table.json == json, "written again, the table is another")
    } catch {}
  }
}
