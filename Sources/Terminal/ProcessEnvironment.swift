#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The environment variables of this process; `main` hands the look-up to whatever needs it.
package enum ProcessEnvironment {
  /// The value of one variable, if it is set and is UTF-8.
  package static func value(_ name: String) -> String? {
    // SAFETY: nothing in this program sets variables, so the text does not move while it is copied.
    guard let text = unsafe getenv(name) else { return nil }
    return unsafe String(validatingCString: text)
  }
}
