import { randomInt } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import type { AspspProfile } from "@/lib/domain/bank-profile";
import type { TppId } from "@/lib/domain/values";
import { fairQueue } from "@/lib/fair-queue";
import { turnWaitSeconds } from "@/lib/metrics";
import { type FaultAnswer, faultFor } from "./fault-answer";
import { keepRefusalCode } from "./refusal-code";
import type { Handler } from "./tpp-host";

type Bounds = {
  /** The TPP that a certificate names which a trusted issuer has issued, so that nobody takes another TPP's turns. */
  readonly callerOf: (clientCert: string | undefined) => TppId | undefined;
  readonly limits: Pick<AspspProfile, "requestsAtOnce" | "connections">;
  /** How long this process has been working; its time is what requests take from each other. */
  readonly workedMs?: () => number;
};

/** Not all after the same time: those refused together would be asked again together. */
const [REFUSED_AFTER_MS, REFUSED_AFTER_MS_MAX] = [1_000, 2_000];
/** By then some of those that wait have been served. */
const RETRY_AFTER = { "retry-after": "1" } as const;

/**
 * Bounds the requests of one TPP that are under way, before anything of them is judged: signatures cost the processor, and
 * statements the few connections to the database. Those beyond wait, since a TPP that asks for much at once loses
 * nothing by it; beyond the limit of those 429 ACCESS_EXCEEDED. A request gets its turn when its body has arrived.
 *
 * A request under way delays others by its processor time, not by the time that a slow core bank takes: that is what a TPP
 * has a share of while others ask too.
 */
export function servingInTurn(
  handle: Handler,
  { callerOf, limits, workedMs = activeMs }: Bounds,
): Handler {
  const { max, perTppMax, perTppProcessorPercent, waitingPerTppMax } = limits.requestsAtOnce;
  const { run } = fairQueue<TppId | "unknown">({
    atOnce: max,
    atOncePerCallerMax: perTppMax,
    share: {
      ...{ ofOneCaller: perTppProcessorPercent / 100, workedMs },
      // Or anybody without an accepted certificate could take from a TPP what nobody else needs.
      counts: (caller) => caller !== "unknown",
    },
    // No more than there are connections, and none of them for a caller alone.
    waitingMax: limits.connections.perHostMax,
    waitingPerCallerMax: waitingPerTppMax,
  });
  return async (request, response) => {
    await bodyArrived(request);
    const { headers } = request;
    const since = performance.now();
    const served = await run(callerOf(onlyText(headers["client-cert"])) ?? "unknown", async () => {
      turnWaitSeconds.observe((performance.now() - since) / 1_000);
      // Its caller may be gone by now.
      if (!response.destroyed) await handle(request, response);
      return true;
    });
    if (served !== undefined) return;
    // A caller that asks again at once would cost more by its refusals than by its requests.
    await sleep(randomInt(REFUSED_AFTER_MS, REFUSED_AFTER_MS_MAX));
    if (response.destroyed) return;
    // The connection is kept: another handshake would cost more than the answer.
    const { status, headers: own, body } = tooMany(request);
    keepRefusalCode(response, status, body);
    response.writeHead(status, own).end(body);
  };
}

const activeMs = () => performance.eventLoopUtilization().active;

function tooMany(request: IncomingMessage): FaultAnswer {
  const text = "too many requests of this TPP wait already";
  const fault = faultFor(request, 429, "ACCESS_EXCEEDED", text);
  return { ...fault, headers: { ...fault.headers, ...RETRY_AFTER } };
}

const onlyText = (value: string | readonly string[] | undefined) =>
  typeof value === "string" ? value : undefined;

/** Or as much of it as Node keeps unread; the rest of a longer one is read in the request's turn, or never. */
function bodyArrived(request: IncomingMessage): Promise<void> {
  const { "content-length": length = "0", "transfer-encoding": chunks } = request.headers;
  if (length === "0" && chunks === undefined) return Promise.resolve();
  return new Promise((resolve) => {
    const look = () => {
      const isFull = request.readableLength >= request.readableHighWaterMark;
      if (!isFull && !request.complete && !request.destroyed) return;
      request.off("readable", look).off("close", look);
      resolve();
    };
    // One listener for all of it: each new one would be told at once of what is there already.
    request.on("readable", look).on("close", look);
    look();
  });
}
