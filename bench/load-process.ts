import { once } from "node:events";
import { http } from "@/tpp/http";
import { seal, signed } from "@/tpp/signing";
import type { Load } from "./load";
import { type Measurement, measurement } from "./measurement";

/** One load, taken from the parent process and answered with its measurement. */
type Shot = Readonly<Record<string, string>>;
type Fired = { readonly latencies: readonly number[]; readonly seconds: number };

const EMPTY = new Uint8Array();
const SPARE = 1.5;

async function measure(load: Load): Promise<Measurement> {
  const sealing = seal(load.qseal.pem, load.qseal.key);
  const sign = (): Shot => signed(sealing, EMPTY, load.headers);
  const client = http({ certificate: load.qwac, ca: load.ca });
  const send = async (headers: Shot) => {
    const reply = await client.send({ method: "GET", url: load.url, headers });
    if (reply.status !== 200) throw new Error(`HTTP ${reply.status} from ${load.url}`);
  };

  const warmUp = await fire({ ...load, seconds: Math.max(1, load.seconds / 4), next: sign, send });
  // Signed beforehand, so that the client's processor time goes into sending: enough for the rate
  // just seen. A server that speeds up beyond it gets the rest signed on the way.
  const rate = warmUp.latencies.length / warmUp.seconds;
  const wanted = load.freshlySigned ? Math.ceil(rate * load.seconds * SPARE) : load.connections;
  const prepared = Array.from({ length: wanted }, sign);
  let used = 0;
  const fresh = () => prepared[used++] ?? sign();
  const again = () => prepared[used++ % prepared.length] ?? sign();

  const before = process.cpuUsage();
  const fired = await fire({ ...load, next: load.freshlySigned ? fresh : again, send });
  const { user, system } = process.cpuUsage(before);
  await client.close();
  return measurement({ ...fired, clientCpuSeconds: (user + system) / 1_000_000 });
}

type Firing = Pick<Load, "connections" | "seconds"> & {
  readonly next: () => Shot;
  readonly send: (shot: Shot) => Promise<void>;
};

/** Each connection sends its next request when it has its answer, until the time is over. */
async function fire({ connections, seconds, next, send }: Firing): Promise<Fired> {
  const latencies: number[] = [];
  const start = performance.now();
  const end = start + seconds * 1_000;
  const connection = async () => {
    while (performance.now() < end) {
      const shot = next();
      const sent = performance.now();
      await send(shot);
      latencies.push(performance.now() - sent);
    }
  };
  await Promise.all(Array.from({ length: connections }, connection));
  return { latencies, seconds: (performance.now() - start) / 1_000 };
}

const [load] = await once(process, "message");
process.send?.(await measure(load as Load));
process.disconnect();
