import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { WebSocket } from "undici";

export type CallFrame = {
  readonly functionName: string;
  readonly url: string;
  /** From 0 on, as the column. */
  readonly lineNumber: number;
  readonly columnNumber: number;
};

/** What V8's sampling profiler writes: a sample names a node, and took so many microseconds. */
export type CpuProfile = {
  readonly nodes: readonly { readonly id: number; readonly callFrame: CallFrame }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
};

const TRIES = 50;

/**
 * Profiles a Node process while `work` runs. The process has to have been started with
 * `--inspect-port`, so that SIGUSR1 opens its inspector there.
 */
export async function takeProfile(
  { pid, inspectPort }: { readonly pid: number; readonly inspectPort: number },
  work: () => Promise<unknown>,
): Promise<CpuProfile> {
  process.kill(pid, "SIGUSR1");
  const socket = new WebSocket(await debuggerUrl(inspectPort));
  await once(socket, "open");
  try {
    const ask = asking(socket);
    await ask("Profiler.enable");
    await ask("Profiler.start");
    await work();
    const { profile } = (await ask("Profiler.stop")) as { readonly profile: CpuProfile };
    return profile;
  } finally {
    socket.close();
  }
}

function asking(socket: WebSocket) {
  let id = 0;
  return (method: string): Promise<unknown> => {
    id += 1;
    const asked = id;
    return new Promise((resolve) => {
      const listen = ({ data }: { readonly data: unknown }) => {
        const answer = JSON.parse(String(data)) as { readonly id?: number; result?: unknown };
        if (answer.id !== asked) return;
        socket.removeEventListener("message", listen);
        resolve(answer.result);
      };
      socket.addEventListener("message", listen);
      socket.send(JSON.stringify({ id: asked, method }));
    });
  };
}

/** The inspector opens a moment after the signal. */
async function debuggerUrl(port: number): Promise<string> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const found = await fetch(`http://127.0.0.1:${port}/json/list`)
      .then((answer) => answer.json() as Promise<readonly { webSocketDebuggerUrl: string }[]>)
      .catch(() => []);
    const [target] = found;
    if (target !== undefined) return target.webSocketDebuggerUrl;
    await sleep(100);
  }
  throw new Error("the server's inspector did not open");
}
