package import Events
package import Rules

extension GameCatalog {
  /// The rules of a room's games, with the room's parameters; `nil` where they are not known here.
  package func rules(of create: Create) -> (any GameRules)? {
    guard let definition = definition(create.rules, version: create.rulesVersion),
      let parameters = Parameters(encoded: create.parameters)
    else { return nil }
    do throws(RulesError) { return try definition.rules(parameters) } catch { return nil }
  }
}
