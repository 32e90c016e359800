/** What has been opened, to be closed in the opposite order. */
export type Closings = {
  readonly add: (close: () => Promise<unknown>) => void;
  /** Once, however often it is asked for. */
  readonly close: () => Promise<void>;
};

export function newClosings(): Closings {
  const open: (() => Promise<unknown>)[] = [];
  let closing: Promise<void> | undefined;
  async function all(): Promise<void> {
    for (const close of open.toReversed()) await close();
  }
  const close = () => {
    closing ??= all();
    return closing;
  };
  return { add: (one) => void open.push(one), close };
}

/** Runs the work and closes what it opened, also when somebody stops it in the middle. */
export async function closingAfter<Result>(
  work: (closings: Closings) => Promise<Result>,
): Promise<Result> {
  const closings = newClosings();
  const stop = () => void closings.close().finally(() => process.exit(1));
  const signals = ["SIGINT", "SIGTERM"] as const;
  for (const signal of signals) process.once(signal, stop);
  try {
    return await work(closings);
  } finally {
    await closings.close();
    for (const signal of signals) process.off(signal, stop);
  }
}
