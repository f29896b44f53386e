// Whatever prints for programs prints JSON.
@_exported public import JSON
