import type { Config } from "@/lib/config";
import type { ClockReading, MovableClock } from "@/lib/domain/movable-clock";
import { type ClockMove, parseClockMove } from "./clock-move";
import { isFromForeignPage } from "./foreign-page";

export type ClockHouse = {
  readonly config: Pick<Config, "WEB_URL">;
  /** Outside the sandbox there is none, and nothing at its address. */
  readonly sandboxClock: MovableClock | undefined;
};

/** Nothing that moves a clock is longer. */
const BODY_BYTES_MAX = 1_024;

/** The sandbox's clock: GET reads it, PUT moves it, DELETE sets it back. */
export async function serveClock(house: ClockHouse, request: Request): Promise<Response> {
  const clock = house.sandboxClock;
  if (clock === undefined) return refusal(404, "there is nothing at this address");
  switch (request.method) {
    case "GET":
    case "HEAD":
      return answer(await clock.read());
    case "PUT":
    case "DELETE":
      return change(clock, request, house.config.WEB_URL);
    default:
      return refusal(405, "GET, PUT and DELETE are offered here", {
        Allow: "GET, HEAD, PUT, DELETE",
      });
  }
}

async function change(clock: MovableClock, request: Request, webUrl: string): Promise<Response> {
  if (isFromForeignPage(request.headers, webUrl)) {
    return refusal(403, "a page of another origin may not move the clock");
  }
  if (request.method === "DELETE") return answer(await clock.reset());
  const type = request.headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  if (type !== "application/json") return refusal(415, "the body must be application/json");
  const text = await readText(request);
  if (text === undefined) return refusal(400, `the body has more than ${BODY_BYTES_MAX} bytes`);
  const parsed = parseClockMove(text);
  if ("error" in parsed) return refusal(400, parsed.error);
  const moved = await move(clock, parsed.move);
  return moved === undefined ? refusal(400, "the clock ends with the year 2999") : answer(moved);
}

function move(clock: MovableClock, to: ClockMove): Promise<ClockReading | undefined> {
  return "now" in to ? clock.moveTo(to.now) : clock.advance(to.advance);
}

async function readText({ body }: Request): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > BODY_BYTES_MAX) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function answer({ now, offsetMilliseconds }: ClockReading): Response {
  const moved =
    offsetMilliseconds === undefined
      ? { moved: false }
      : { moved: true, offsetSeconds: offsetMilliseconds / 1_000 };
  return json(200, { now: now.toISOString(), ...moved });
}

function refusal(
  status: number,
  error: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return json(status, { error }, headers);
}

function json(status: number, body: object, headers: Readonly<Record<string, string>> = {}) {
  return Response.json(body, { status, headers: { "Cache-Control": "no-store", ...headers } });
}
