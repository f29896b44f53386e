// `import Parlor` gives all that is public in these modules too.
@_exported public import BotKit
@_exported public import EventLog
@_exported public import Events
@_exported public import Games
@_exported public import MemoryMatchBots
@_exported public import Peer
@_exported public import PrisonersDilemmaBots
@_exported public import Projection
@_exported public import Rules
@_exported public import SearchBots
@_exported public import Service
