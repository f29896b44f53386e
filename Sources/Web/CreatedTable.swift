internal import Events
internal import Rules
internal import Service

/// A table that a client creates with a key of its own, as its first event says.
struct CreatedTable {
  let room: RoomID
  let create: Create

  /// - Throws: where it is no table of games, or another peer's.
  init(_ body: [UInt8], by key: PeerID, in network: NetworkID) throws(ServiceError) {
    let event: Event
    do throws(FormatError) {
      event = try Event(body: body, hasher: EventHasher(network: network))
    } catch { throw .refused("that is no event: \(error)") }
    guard event.author == key else {
      throw .refused("that event is another peer's than this socket's")
    }
    guard case .create(let create) = event.action, create.edition == Create.edition,
      case .games(.none, _, _) = create.purpose
    else {
      throw .refused("with a key of one's own tables of games are created, and nothing else")
    }
    (room, self.create) = (event.room, create)
  }

  /// The rules of its games, as its seats fit them.
  func rules(_ games: GameCatalog) throws(ServiceError) -> any GameRules {
    guard let definition = games.definition(create.rules, version: create.rulesVersion),
      let parameters = Parameters(encoded: create.parameters)
    else { throw .refused("the rules of that game are not known here") }
    let rules: any GameRules
    do throws(RulesError) { rules = try definition.rules(parameters) } catch {
      throw .refused(error.description)
    }
    guard rules.seats == Int(create.seats) else {
      throw .refused("that game has \(rules.seats) seats, and not \(create.seats)")
    }
    return rules
  }
}
