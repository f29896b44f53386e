// swift-tools-version: 6.2
import PackageDescription

// A package of somebody else's that uses Parlor: a game of its own, a bot, and two peers that play over TCP.
// It is built and run by EndToEndTests, and Docs/LIBRARY.md shows it.
let package = Package(
  name: "nim",
  dependencies: [.package(name: "parlor", path: "../..")],
  targets: [
    .executableTarget(
      name: "nim", dependencies: [.product(name: "Parlor", package: "parlor")],
      swiftSettings: [.swiftLanguageMode(.v6)])
  ]
)
