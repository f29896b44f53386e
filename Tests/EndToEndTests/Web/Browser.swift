import Foundation
import TestKit
import Testing

/// The browser in which tests of pages run.
enum Browser {
  static let path = "/usr/bin/chromium"
}

extension Trait where Self == ConditionTrait {
  /// The test drives a browser, at full size and where there is one.
  static var inABrowser: Self {
    .enabled(
      if: !Effort.isQuick && FileManager.default.isExecutableFile(atPath: Browser.path),
      "a browser is needed: Tools/test --full installs chromium, which is large")
  }
}
