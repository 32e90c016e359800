/** The command line cannot be understood; the message says which part of it. */
export class WrongUsage extends Error {
  override readonly name = "WrongUsage";
}
