/** A command could not do what it was told; the message says why in one sentence. */
export class CommandFailed extends Error {
  override readonly name = "CommandFailed";
}
