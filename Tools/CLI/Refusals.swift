import Network
import Service
import Terminal

/// Tells people why addresses that they named do not become connections, as soon as that is known, each reason once.
struct Refusals {
  private let addresses: [Address]
  /// What was told last of each address.
  private var told: [String?]

  init(_ addresses: [Address]) {
    self.addresses = addresses
    told = addresses.map { _ in nil }
  }

  /// Tells what is new.
  mutating func tell(_ service: any Service, _ console: Console) async throws {
    guard !addresses.isEmpty else { return }
    let statuses = try await service.neighbours().filter { $0.state != .connected }
    for (at, address) in addresses.enumerated() {
      // An address that is connected, or that nothing is known of yet, has no reason.
      guard let reason = statuses.first(where: { $0.address == address })?.reason, reason != told[at] else {
        continue
      }
      told[at] = reason
      console.note(Self.words(reason, at: address))
    }
  }

  /// A reason with the address, unless it says that itself.
  static func words(_ reason: String, at address: Address) -> String {
    reason.contains(address.description) ? reason : "\(address): \(reason)"
  }
}
