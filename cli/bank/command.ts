export type Command = {
  readonly help: string;
  /** Resolves to what the person reads when it is done, and throws what went wrong. */
  readonly run: (args: readonly string[]) => Promise<string>;
};
