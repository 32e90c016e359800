import { type Connection, openConnection } from "./connection";
import type { Fired, Load, Order } from "./orders";
import { keepPace } from "./pace";
import { type Supply, supplyOf } from "./supply";

/** A load process: it signs what its parent orders, waits for the word, and fires. */
let ready: (() => Promise<Fired>) | undefined;

process.on("message", (order: Order) => {
  obey(order).then(
    (answer) => process.send?.(answer),
    (error: Error) => process.send?.({ failed: error.message }),
  );
});
process.on("disconnect", () => process.exit());

async function obey(order: Order): Promise<"ready" | Fired> {
  if (order !== "fire") {
    ready = await prepared(order.load);
    return "ready";
  }
  const fire = ready;
  ready = undefined;
  if (fire === undefined) throw new Error("there is nothing to fire");
  return fire();
}

async function prepared(load: Load): Promise<() => Promise<Fired>> {
  const { target, connections, pace } = load;
  const supply = supplyOf(load);
  const open = await Promise.all(Array.from({ length: connections }, () => openConnection(target)));
  return async () => {
    const before = process.cpuUsage();
    const start = performance.now();
    const latencies = await keepPace(pace, connections, (nth) => exchange(open[nth], supply));
    const seconds = (performance.now() - start) / 1_000;
    const { user, system } = process.cpuUsage(before);
    for (const connection of open) connection.close();
    return {
      latencies: Float64Array.from(latencies),
      seconds,
      cpuSeconds: (user + system) / 1_000_000,
      signedOnTheWay: supply.signedOnTheWay(),
    };
  };
}

async function exchange(over: Connection | undefined, supply: Supply): Promise<void> {
  if (over === undefined) throw new Error("there is no such connection");
  const { bytes, expected } = supply.next();
  const { status, body } = await over.send(bytes);
  if (status === expected.status && body.byteLength === expected.bodyBytes) return;
  const said = body.toString().slice(0, 500);
  throw new Error(
    `HTTP ${status} with ${body.byteLength} bytes instead of ${expected.status} with ${expected.bodyBytes}: ${said}`,
  );
}
