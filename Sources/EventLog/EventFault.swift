/// What is wrong with an event of a room that can be read.
package enum EventFault: String, Hashable, Sendable {
  case wrongHash = "its bytes have another hash"
  case wrongRoom = "it belongs to another room"
  case noCreate = "the first event must be the room's create"
  case doubled = "it is here twice"
  case missingPrevious = "its author's event before it is missing"
  case missingParent = "an event that it names is missing"
  case brokenChain = "it does not follow the event before it"
  case misnamed = "it names what its author may not name, or is one too many of its author"
  case wrongOrder = "events are not in their one order"
  case badSignature = "its signature is not its author's"
  case unsigned = "no signature covers it"
  case longRun = "its run is longer than one signature may cover"
}
