import * as z from "zod";
import type { Config } from "@/lib/config";
import { type ClockReading, clockRange, type MovableClock } from "@/lib/domain/values";
import { jsonIn } from "@/lib/json";
import { readUpTo } from "@/lib/read-body";

type ClockServices = {
  readonly config: Pick<Config, "WEB_URL">;
  /** Outside the sandbox there is none, and nothing at its address. */
  readonly sandboxClock: MovableClock | undefined;
};

/** Nothing that moves a clock is longer. */
const BODY_BYTES_MAX = 1_024;

/** The sandbox's clock: GET reads it, PUT moves it, DELETE sets it back. */
export async function serveClock(services: ClockServices, request: Request): Promise<Response> {
  const clock = services.sandboxClock;
  if (clock === undefined) return refusal(404, "there is nothing at this address");
  switch (request.method) {
    case "GET":
    case "HEAD":
      return answer(await clock.read());
    case "PUT":
    case "DELETE":
      return change(clock, request, services.config.WEB_URL);
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
  const text = (await readUpTo(request.body, BODY_BYTES_MAX))?.toString("utf8");
  if (text === undefined) return refusal(400, `the body has more than ${BODY_BYTES_MAX} bytes`);
  const parsed = parseClockMove(text);
  if ("error" in parsed) return refusal(400, parsed.error);
  const moved = await move(clock, parsed.move);
  return moved === undefined ? refusal(400, "the clock ends with the year 2999") : answer(moved);
}

function move(clock: MovableClock, to: ClockMove): Promise<ClockReading | undefined> {
  return "now" in to ? clock.moveTo(to.now) : clock.advance(to.advance);
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

/** `advance` is in milliseconds. */
type ClockMove = { readonly now: Date } | { readonly advance: number };

const USAGE = 'send { "now": "2027-05-20T10:00:00Z" } or { "advance": "PT10M1S" }';

const instant = z.iso
  .datetime({ offset: true, error: "must be an instant, as in 2027-05-20T10:00:00Z" })
  .transform((text) => new Date(text))
  .refine((now) => clockRange.from <= now && now <= clockRange.to, {
    error: "must be in the years 2000 to 2999",
  });

const DURATION =
  "must be an ISO 8601 duration in weeks, or in days, hours, minutes and seconds, as in PT10M1S";

const SHAPE =
  /^P(?=.)(?:(?<weeks>\d{1,5})W|(?:(?<days>\d{1,6})D)?(?:T(?=\d)(?:(?<hours>\d{1,7})H)?(?:(?<minutes>\d{1,9})M)?(?:(?<seconds>\d{1,10})S)?)?)$/;

const MILLISECONDS = {
  weeks: 604_800_000,
  days: 86_400_000,
  hours: 3_600_000,
  minutes: 60_000,
  seconds: 1_000,
} as const;

const duration = z.string(DURATION).transform((text, context) => {
  const milliseconds = parseDuration(text);
  if (milliseconds !== undefined) return milliseconds;
  context.addIssue({ code: "custom", message: DURATION });
  return z.NEVER;
});

const clockMove = z
  .strictObject({ now: instant.optional(), advance: duration.optional() })
  .transform(({ now, advance }, context): ClockMove => {
    if (now !== undefined && advance === undefined) return { now };
    if (advance !== undefined && now === undefined) return { advance };
    context.addIssue({ code: "custom", message: USAGE });
    return z.NEVER;
  });

type Parsed = { readonly move: ClockMove } | { readonly error: string };

/** The move, or why it is invalid, in a sentence for the user. */
function parseClockMove(text: string): Parsed {
  const result = clockMove.safeParse(jsonIn(text));
  if (result.success) return { move: result.data };
  const issue = result.error.issues.find(({ path }) => path.length > 0);
  return { error: issue === undefined ? USAGE : `${String(issue.path[0])} ${issue.message}` };
}

/**
 * An ISO 8601 duration in milliseconds, e.g. `P180D` or `PT10M1S`; undefined for anything else.
 * Months and years are none: how long they are depends on when they begin.
 */
export function parseDuration(text: string): number | undefined {
  const parts = SHAPE.exec(text)?.groups;
  if (parts === undefined) return undefined;
  const units = Object.keys(MILLISECONDS) as (keyof typeof MILLISECONDS)[];
  return units.reduce((sum, unit) => sum + Number(parts[unit] ?? 0) * MILLISECONDS[unit], 0);
}

/**
 * Whether a page of another origin has sent it. Browsers say so in both headers, which no page can forge, and either
 * alone is enough to refuse; DNS rebinding shows in `Origin`. A program like curl sends neither and passes: a sandbox
 * listens on loopback, and somebody who runs programs there needs no forged request.
 */
export function isFromForeignPage(headers: Headers, webUrl: string): boolean {
  const site = headers.get("sec-fetch-site");
  const origin = headers.get("origin");
  return (
    (site !== null && site !== "same-origin") ||
    (origin !== null && origin !== new URL(webUrl).origin)
  );
}
