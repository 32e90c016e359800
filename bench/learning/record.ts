import { seal } from "@/tpp/signing";
import { NO_CONSENT, type Plan, type Plans } from "../limit/plan";
import type { Answer } from "../load/answer";
import { theSame } from "../load/checked";
import { type Connection, openConnection, type Target } from "../load/connection";
import type { CheckedCall, Expected } from "../load/orders";
import { type Call, type Shot, shot } from "../load/shot";
import type { Tap } from "../tap/tap";
import { planOf, type Recording } from "./plan-of";

/** Where a server can be watched at its work. */
export type Watched = {
  readonly tap: Tap;
  /** Of the server behind the tap. */
  readonly target: Target;
  /** PEM. */
  readonly seal: { readonly pem: string; readonly key: string };
};

/** Before the first recording: what a server does once only is no request's work. */
const WARMING = 3;
const RECORDINGS = 5;
const TRIES = 5;

export type Learnt = { readonly plans: Plans; readonly calls: readonly CheckedCall[] };

/** Plans for these calls, each from several recordings of the product, and how they are answered. */
export async function learn(watched: Watched, calls: readonly Call[]): Promise<Learnt> {
  const plans: Record<string, Record<string, Plan>> = {};
  const checked: CheckedCall[] = [];
  for (const call of calls) {
    const { plan, recordings } = await planned(watched, call);
    const { method, path, headers } = call;
    const byConsent = { [headers["consent-id"] ?? NO_CONSENT]: plan };
    plans[`${method} ${path}`] = { ...plans[`${method} ${path}`], ...byConsent };
    checked.push({ call, expected: theSame(recordings.map(sizeOf)) });
  }
  return { plans, calls: checked };
}

/** On a machine that others keep busy what goes side by side overlaps in another way each time: then once more. */
async function planned(watched: Watched, call: Call) {
  for (let more = TRIES - 1; ; more -= 1) {
    const recordings = await record(watched, call);
    try {
      return { plan: planOf(recordings), recordings };
    } catch (error) {
      if (more === 0) throw error;
    }
  }
}

const sizeOf = ({ answer: { status, body } }: Recording): Expected => ({
  status,
  bodyBytes: Buffer.byteLength(body),
});

export async function record(
  { tap, target, seal: pair }: Watched,
  call: Call,
): Promise<readonly Recording[]> {
  const sealing = seal(pair.pem, pair.key);
  const connection = await openConnection(target);
  try {
    const recordings: Recording[] = [];
    for (let nth = -WARMING; nth < RECORDINGS; nth += 1) {
      const recording = await recordOne(tap, connection, shot(sealing, call));
      if (nth >= 0) recordings.push(recording);
    }
    return recordings;
  } finally {
    connection.close();
  }
}

async function recordOne(
  tap: Tap,
  connection: Connection,
  { headers, bytes }: Shot,
): Promise<Recording> {
  const at = Date.now();
  const { result, seen } = await tap.during(() => connection.send(bytes));
  return { headers, at, seen, answer: answerOf(result) };
}

/** Node writes the rest itself, for any server. */
const NODES = new Set(["date", "connection", "keep-alive"]);

function answerOf({ status, head, body }: Answer): Recording["answer"] {
  const headers = head.split("\r\n").map((line) => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon), line.slice(colon + 1).trim()] as const;
  });
  const own = headers.filter(([name]) => !NODES.has(name.toLowerCase()));
  return { status, headers: own, body: body.toString("utf8") };
}
