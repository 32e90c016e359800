import type { Clients, Volley } from "../load/clients";
import type { CheckedCall, Load, Pace } from "../load/orders";
import type { Contestant } from "./contestant";
import { type Usage, usageOf } from "./usage";

export type Size = {
  /** Of each of the two parts of a turn. */
  readonly seconds: number;
  /** At saturation, over all load processes. */
  readonly connections: number;
  /** Requests a second in the part at a fixed rate. */
  readonly rate: number;
};

export type Turn = {
  readonly contestant: Contestant;
  readonly calls: readonly CheckedCall[];
  readonly seal: Load["seal"];
  readonly clients: Clients;
  /** Of the PostgreSQL that all use. */
  readonly databasePid: number;
  readonly size: Size;
};

/** More than the rate just seen would use up. */
const SPARE = 1.3;
/** With more of them signed on the way the load processes would be measured as well. */
const SIGNED_LATE_MAX = 0.01;
const TRIES = 3;
const SIGNED_WHERE_CONSTANT = 20;
/** At most, for requests that a stall piles up. */
const CONNECTIONS_PACED = 32;

/** Sends for a while without measuring; yields the requests a second. */
export async function warm(turn: Turn, seconds: number, rateSeen: number): Promise<number> {
  const { requestsPerSecond } = await turn.clients.fire(() =>
    loadOf(turn, saturating(turn, seconds, rateSeen)),
  );
  return requestsPerSecond;
}

/** At the fixed rate. */
export function pace(turn: Turn): Promise<Volley> {
  const { clients, size } = turn;
  const perSecond = size.rate / clients.count;
  const signedBefore = Math.ceil(perSecond * size.seconds);
  return clients.fire((nth) =>
    loadOf(turn, {
      pace: { kind: "open", seconds: size.seconds, perSecond, offset: nth / clients.count },
      connections: Math.min(signedBefore, Math.ceil(CONNECTIONS_PACED / clients.count)),
      signedBefore,
    }),
  );
}

export type Saturated = {
  readonly before: Used;
  readonly volley: Volley;
  readonly after: Used;
};
type Used = { readonly server: Usage; readonly database: Usage };

/** For some seconds, by connections that wait for nothing but their answers. */
export async function saturate(turn: Turn, seconds: number, rateSeen: number): Promise<Saturated> {
  const { clients, contestant, databasePid } = turn;
  const look = async () => ({
    server: await usageOf(contestant.pid),
    database: await usageOf(databasePid),
  });
  let rate = rateSeen;
  for (let tries = 1; ; tries += 1) {
    const sending = saturating(turn, seconds, rate);
    const seen = await clients.fireAround(() => loadOf(turn, sending), look);
    const { latencies, signedOnTheWay, requestsPerSecond } = seen.volley;
    if (signedOnTheWay <= latencies.length * SIGNED_LATE_MAX || tries === TRIES) return seen;
    rate = requestsPerSecond * SPARE;
  }
}

type Sending = {
  readonly pace: Pace;
  readonly connections: number;
  readonly signedBefore: number;
};

function saturating({ clients, size }: Turn, seconds: number, rateSeen: number): Sending {
  return {
    pace: { kind: "closed", seconds },
    connections: Math.ceil(size.connections / clients.count),
    signedBefore: Math.ceil((rateSeen * seconds * SPARE) / clients.count),
  };
}

function loadOf({ contestant, calls, seal }: Turn, sending: Sending): Load {
  const { target, constant } = contestant;
  if (constant === undefined) return { ...sending, target, seal, calls, again: false };
  const answered = calls.map(({ call }) => ({ call, expected: constant }));
  const signedBefore = SIGNED_WHERE_CONSTANT;
  return { ...sending, target, seal, calls: answered, again: true, signedBefore };
}
