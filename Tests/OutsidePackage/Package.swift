// swift-tools-version: 6.2
import PackageDescription

// A package of somebody else's that uses Parlor. `nim`: a game of its own, a bot, and two peers that play over TCP, as
// Docs/LIBRARY.md shows. `dare`: the game with chance and three seats of Docs/WRITING-A-GAME.md. Both are built and run
// by EndToEndTests.
let package = Package(
  name: "nim",
  dependencies: [.package(name: "parlor", path: "../..")],
  targets: [
    .executableTarget(
      name: "nim", dependencies: [.product(name: "Parlor", package: "parlor")],
      swiftSettings: [.swiftLanguageMode(.v6)]),
    .executableTarget(
      name: "dare", dependencies: [.product(name: "Parlor", package: "parlor")],
      swiftSettings: [.swiftLanguageMode(.v6)]),
  ]
)
