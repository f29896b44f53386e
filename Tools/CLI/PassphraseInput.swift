import Platform
import Terminal

/// Where passphrases come from: a file that an option names, or whoever sits at the terminal, where nothing of it is
/// shown.
struct PassphraseInput {
  /// Where one is read from when nobody is asked for it.
  static let option: OptionDefinition = .value(
    "passphrase-file", "FILE",
    "Read the passphrase from the first line of this file instead of asking; `-` for standard input.",
    kind: .file)

  /// The longest passphrase, in bytes.
  private static let limitBytes = 1_024

  let interrupts: Interrupts

  /// The passphrase.
  /// - Parameter isNew: whether it is asked for twice, because nobody can know yet whether it was typed right.
  /// - Returns: its bytes, of which there is at least one; whoever asked has to wipe them.
  func passphrase(_ parsed: ParsedCommand, isNew: Bool) throws -> [UInt8] {
    guard let path = parsed.text("passphrase-file") else { return try ask(isNew: isNew) }
    do {
      if path == "-" {
        guard !Descriptor.input.isTerminal else {
          throw parsed.badValue(
            "passphrase-file", "standard input is a terminal; without the option it is asked for")
        }
        return try check(try firstLine(.input, "standard input"))
      }
      let file = try OpenFile.reading(path)
      return try check(try firstLine(file.descriptor, path))
    } catch let error as SystemError { throw FileError(.reading, error) }
  }

  /// The first line of a file, without its end, or as much of it as is too long.
  private func firstLine(_ file: Descriptor, _ path: String) throws -> [UInt8] {
    var line: [UInt8] = []
    // A line that grew would leave copies behind.
    line.reserveCapacity(2 * Self.limitBytes)
    while line.count <= Self.limitBytes {
      guard try Descriptor.waitReadable([file, interrupts.stop])[1] == false else {
        line.wipe()
        throw Failure(.interrupted, nil)
      }
      guard var more = try file.read(limitBytes: Self.limitBytes, path: path) else { continue }
      defer { more.wipe() }
      let end = more.firstIndex(of: 0x0A)
      line += more[..<(end ?? more.count)]
      if end != nil || more.isEmpty { break }
    }
    if line.last == 0x0D { line.removeLast() }
    return line
  }

  private func ask(isNew: Bool) throws -> [UInt8] {
    // Standard input and output may lead elsewhere while somebody sits at the terminal.
    let terminal: OpenFile
    do throws(SystemError) { terminal = try OpenFile("/dev/tty", .updating) } catch {
      guard Descriptor.input.isTerminal else {
        throw Failure(
          .usage, "there is no terminal at which the passphrase could be asked for",
          hint: "`--passphrase-file FILE` reads it from the first line of a file")
      }
      return try ask(at: .input, showingOn: .errors, isNew)
    }
    return try ask(at: terminal.descriptor, showingOn: terminal.descriptor, isNew)
  }

  private func ask(at input: Descriptor, showingOn output: Descriptor, _ isNew: Bool) throws -> [UInt8] {
    try SecretReader.asking(at: input, showingOn: output, interrupts) { reader in
      var first = try check(try line(reader, isNew ? "New passphrase: " : "Passphrase: "))
      guard isNew else { return first }
      var second = try line(reader, "The same once more: ")
      defer { second.wipe() }
      guard first == second else {
        first.wipe()
        throw Failure(.usage, "the two passphrases differ, so nothing was done")
      }
      return first
    }
  }

  private func line(_ reader: SecretReader, _ question: String) throws -> [UInt8] {
    switch try reader.ask(question, limitBytes: Self.limitBytes) {
    case .line(let line): return line
    case .tooLong: throw Self.tooLong
    case .end: return []
    case .interrupted: throw Failure(.interrupted, nil)
    }
  }

  private func check(_ passphrase: [UInt8]) throws -> [UInt8] {
    guard !passphrase.isEmpty else {
      throw Failure(
        .usage, "the passphrase is empty, so nothing was done", hint: "four random words are a good one")
    }
    guard passphrase.count <= Self.limitBytes else {
      var passphrase = passphrase
      passphrase.wipe()
      throw Self.tooLong
    }
    return passphrase
  }

  private static let tooLong = Failure(
    .usage, "the passphrase has more than \(limitBytes) bytes, so nothing was done")
}
