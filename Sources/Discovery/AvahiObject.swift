/// An object of the library, which whoever holds this frees.
@safe struct AvahiObject {
  // SAFETY: only handed back to the library, on its thread.
  let pointer: OpaquePointer

  init(_ pointer: OpaquePointer) { unsafe self.pointer = pointer }
}
