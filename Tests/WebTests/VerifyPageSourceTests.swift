import Events
import Testing

@testable import Web

/// The page that checks files of games, made of its parts.
@Suite struct VerifyPageSourceTests {
  private static let page = """
    <!doctype html>
    <meta charset="utf-8">
    <link rel="stylesheet" href="a.css">
    <script type="module" src="verify.js"></script>
    """

  private func page(_ files: [String: String]) throws(VerifyPage.Fault) -> VerifyPage {
    try VerifyPage(["verify.html": Self.page, "a.css": "p {}\n"].merging(files) { $1 })
  }

  /// Each module once, behind those that it imports.
  @Test func modulesStandInOrder() throws {
    let made = try page([
      "verify.js": "import { a } from \"./in/a.js\";\nimport {\n  b,\n} from \"./b.js\";\na(b);",
      "in/a.js": "import { b } from \"../b.js\";\nexport const a = b;",
      "b.js": "export async function b() {}",
    ])
    let script = "\nasync function b() {}\nconst a = b;\na(b);\n"
    #expect(made.text.hasSuffix("<script type=\"module\">\(script)</script>"))
    #expect(made.text.contains("<style>\np {}\n</style>"))
    let policy = made.policy.replacing("; frame-ancestors 'none'", with: "")
    #expect(made.text.contains("<meta http-equiv=\"Content-Security-Policy\" content=\"\(policy)\">"))
    // What `openssl dgst -sha256` says of the style, in base 64.
    #expect(made.policy.contains("style-src 'sha256-V5i3HfNMY6na5UUBK5kiCDR/vie+o/ohM9UXAoezoi0='"))
  }

  @Test func whatCannotStandInOnePage() {
    let cases: [(files: [String: String], fault: VerifyPage.Fault)] = [
      (["verify.js": "import { a } from \"./a.js\";"], .missing("a.js")),
      (
        ["verify.js": "import { a } from \"./a.js\";\nconst a = 1;", "a.js": "export class a {}"],
        .declaredTwice("a", in: "verify.js")
      ),
      (["verify.js": "const a = \"</script>\";"], .outOfPlace(in: "verify.js")),
      (["verify.js": "import * as a;"], .outOfPlace(in: "verify.js")),
      (["verify.js": "", "a.css": "</style>"], .outOfPlace(in: "a.css")),
    ]
    for (files, fault) in cases {
      #expect(throws: fault) { () throws(VerifyPage.Fault) in try page(files) }
    }
  }

  /// Published vectors (RFC 4648 §10).
  @Test func base64() {
    let texts = ["", "f", "fo", "foo", "foob", "fooba", "foobar"]
    let wanted = ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"]
    #expect(texts.map { Base64.text(Array($0.utf8)) } == wanted)
    #expect(Base64.text(Array(0...255)[250...]) == "+vv8/f7/")
  }
}

/// Files that clients fetch in pieces.
@Suite struct HeldFilesTests {
  @Test func oneForEachAndNotTooMany() {
    var held = HeldFiles<Character>(limitBytes: 10)
    held.hold([1, 2, 3, 4], "a", for: 1)
    held.hold([5, 6, 7, 8], "a", for: 2)
    #expect(held.file("a", of: 1) == [1, 2, 3, 4] && held.file("b", of: 1) == nil && held.count == 8)
    // Another one of the same client takes the place of the first.
    held.hold([9], "b", for: 1)
    #expect(held.file("a", of: 1) == nil && held.file("b", of: 1) == [9] && held.count == 5)
    // The oldest goes; the newest is held however large it is.
    held.hold([1, 2, 3, 4, 5, 6], "c", for: 3)
    #expect(held.file("a", of: 2) == nil && held.file("b", of: 1) == [9] && held.count == 7)
    held.hold([UInt8](repeating: 0, count: 11), "c", for: 4)
    #expect(held.file("b", of: 1) == nil && held.file("c", of: 3) == nil && held.count == 11)
    held.drop(4)
    #expect(held.count == 0)
  }
}
