#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// How many processors this machine has.
package enum ProcessorCount {
  /// Processors that are online, at least one.
  package static var available: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
}
