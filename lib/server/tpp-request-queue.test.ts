import net from "node:net";
import { expect, it, onTestFinished, vi } from "vitest";
import type { TppId } from "@/lib/domain/values";
import { aspspProfile } from "@/lib/testing-profile";
import { expectFault, get, openTppHost } from "./testing";
import type { Handler } from "./tpp-host";
import { servingInTurn } from "./tpp-request-queue";

const path = "/open-banking/v3.1/aisp/v1/accounts";
const waiting = { timeout: 10_000, interval: 5 };

const NO_TPP = ":unknown:";

/** A host whose requests last until they are let go, and whose certificate names the TPP that the test says. */
async function heldHost(
  changes: Partial<typeof aspspProfile.requestsAtOnce> = {},
  workedMs = () => 0,
) {
  const begun: string[] = [];
  const seen = { arrived: 0, gone: 0 };
  const ends: (() => void)[] = [];
  let certificate = ":greedy:";
  const held: Handler = async (request, response) => {
    begun.push(String(request.headers["client-cert"]));
    await new Promise<void>((resolve) => ends.push(resolve));
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  };
  const bounds = { max: 3, perTppMax: 2, perTppProcessorPercent: 50, waitingPerTppMax: 1 };
  const requestsAtOnce = { ...bounds, ...changes };
  const limits = { ...aspspProfile, requestsAtOnce };
  const callerOf = (cert: string | undefined) => {
    seen.arrived += 1;
    return cert === NO_TPP ? undefined : (cert as TppId | undefined);
  };
  const served = servingInTurn(held, { callerOf, limits, workedMs });
  const watched: Handler = (request, response) => {
    response.once("close", () => {
      if (!response.writableFinished) seen.gone += 1;
    });
    return served(request, response);
  };
  const host = await openTppHost(watched, () => certificate);
  const end = () => {
    for (const one of ends.splice(0)) one();
  };
  onTestFinished(end);
  return {
    ...{ begun, host, end },
    ask: (of: string, target = path, method = "GET") => {
      certificate = of;
      return get(host, target, [], method);
    },
    untilSeen: (wanted: Partial<typeof seen>) =>
      vi.waitFor(() => expect(seen).toMatchObject(wanted), waiting),
    until: (count: number) => vi.waitFor(() => expect(begun).toHaveLength(count), waiting),
  };
}

it("X14: beyond its TPP's bound a request waits, and others' do not wait for it", async () => {
  const { begun, ask, end, until, untilSeen } = await heldHost();
  const first = [ask(":greedy:"), ask(":greedy:")];
  await until(2);
  first.push(ask(":greedy:"));
  await untilSeen({ arrived: 3 });
  expectFault(await ask(":greedy:"), 429, "ACCESS_EXCEEDED");
  const other = ask(":patient:");
  await until(3);
  expect(begun).toEqual([":greedy:", ":greedy:", ":patient:"]);
  end();
  await until(4);
  end();
  const answers = await Promise.all([...first, other]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
});

it("X14: while others ask too, a TPP that has taken more than its share of the processor waits, and has all of it alone", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  let worked = 0;
  const bounds = { max: 8, perTppMax: 8, perTppProcessorPercent: 1 };
  const { begun, ask, end, until, untilSeen } = await heldHost(bounds, () => worked);
  const asked = [ask(":greedy:")];
  await until(1);
  worked += 10_000;
  asked.push(ask(":greedy:"));
  await until(2);
  // Callers without an accepted certificate are no others.
  asked.push(ask(NO_TPP));
  await until(3);
  asked.push(ask(":greedy:"));
  await untilSeen({ arrived: 4 });
  expect(begun).toHaveLength(4);
  asked.push(ask(":patient:"));
  await until(5);
  asked.push(ask(":greedy:"));
  await untilSeen({ arrived: 6 });
  asked.push(ask(":patient:"));
  await until(6);
  expect(begun.slice(4)).toEqual([":patient:", ":patient:"]);
  vi.advanceTimersByTime(1_000);
  await until(7);
  end();
  for (const { status } of await Promise.all(asked)) expect(status).toBe(200);
});

it("X14: what is refused says when to ask again, at the token endpoint in OAuth's form", async () => {
  const { ask, until } = await heldHost({ perTppMax: 1, waitingPerTppMax: 0 });
  void ask(":greedy:");
  await until(1);
  const [resource, token] = await Promise.all([ask(":greedy:"), ask(":greedy:", "/token", "POST")]);
  expectFault(resource, 429, "ACCESS_EXCEEDED");
  expect(resource.headers.get("retry-after")).toBe("1");
  expect([token.status, token.headers.get("retry-after")]).toEqual([429, "1"]);
  expect(JSON.parse(token.body).error).toBe("temporarily_unavailable");
});

it("X14: a body that comes slowly takes no turn until it is there", async () => {
  const { begun, host, ask, end, until } = await heldHost({ perTppMax: 1 });
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\na`;
  const slow = net.connect({ port: host.port, host: "127.0.0.1" });
  onTestFinished(() => void slow.destroy());
  slow.resume().write(head);
  const quick = ask(":greedy:");
  await until(1);
  expect(begun).toHaveLength(1);
  end();
  expect((await quick).status).toBe(200);
  slow.write("b");
  await until(2);
});

it("a request whose caller has gone while it waited is not served", async () => {
  const { begun, host, ask, end, until, untilSeen } = await heldHost({ perTppMax: 1 });
  const first = ask(":greedy:");
  await until(1);
  const gone = net.connect({ port: host.port, host: "127.0.0.1" });
  gone.write(`GET ${path}/gone HTTP/1.1\r\nHost: x\r\n\r\n`);
  await untilSeen({ arrived: 2 });
  gone.destroy();
  await untilSeen({ gone: 1 });
  end();
  await first;
  const last = ask(":greedy:");
  await until(2);
  end();
  expect((await last).status).toBe(200);
  expect(begun).toHaveLength(2);
});
