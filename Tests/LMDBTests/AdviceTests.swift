import Foundation
import LMDB
import Testing

@Suite("What errors advise")
struct AdviceTests {
  private func words(_ code: POSIXErrorCode) -> String {
    "\(StoreError.inputOutput(errno: code.rawValue, path: "/a"))"
  }

  @Test("Limits of the process and of the system are told from a failing disk")
  func limits() {
    #expect(words(.ENOMEM).contains("`ulimit -v unlimited`"))
    #expect(words(.EMFILE).contains("`ulimit -n`"))
    #expect(words(.ENFILE).contains("whole system"))
    for code in [POSIXErrorCode.ENOMEM, .EMFILE, .ENFILE] { #expect(!words(code).contains("disk")) }
    #expect(words(.EIO).contains("Check the disk."))
  }

  @Test("Who lost a store is told how its rooms come back")
  func lostStores() {
    let errors: [StoreError] = [
      .corrupted(code: -30_796), .truncated(path: "/a", bytes: 1, expected: 2),
      .notADatabase(path: "/a", reason: "it is too short"),
    ]
    for error in errors {
      #expect("\(error)".contains("`parlor log import` brings exported rooms back there, one by one"))
    }
  }
}
