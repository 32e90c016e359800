import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Measurement } from "./measurement";

/** A load of GET requests, run in a process of its own so that it takes no time from a server. */
export type Load = {
  readonly url: string;
  /** What each request has besides its own id, date, digest and signature. */
  readonly headers: Readonly<Record<string, string>>;
  /** PEM. */
  readonly qwac: { readonly pem: string; readonly key: string };
  readonly qseal: { readonly pem: string; readonly key: string };
  readonly ca: string;
  readonly connections: number;
  readonly seconds: number;
  /** False for a server that checks nothing: there the same signed requests go round again. */
  readonly freshlySigned: boolean;
};

/** Puts the load on the server. Throws when one answer is not a 200, for then the number means nothing. */
export async function putLoad(load: Load): Promise<Measurement> {
  const child = fork(join(import.meta.dirname, "load-process.ts"), {
    execArgv: ["--import", "tsx"],
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  child.send(load);
  const exited = once(child, "exit").then(() => {
    throw new Error("the load process ended without a result");
  });
  const [result] = await Promise.race([once(child, "message"), exited]);
  return result as Measurement;
}
