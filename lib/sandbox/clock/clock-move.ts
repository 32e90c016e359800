import { z } from "zod";
import { clockRange } from "@/lib/domain/movable-clock";
import { parseDuration } from "./duration";

/** `advance` is in milliseconds. */
export type ClockMove = { readonly now: Date } | { readonly advance: number };

const USAGE = 'send { "now": "2027-05-20T10:00:00Z" } or { "advance": "PT10M1S" }';

const instant = z.iso
  .datetime({ offset: true, error: "must be an instant, as in 2027-05-20T10:00:00Z" })
  .transform((text) => new Date(text))
  .refine((now) => clockRange.from <= now && now <= clockRange.to, {
    error: "must be in the years 2000 to 2999",
  });

const DURATION =
  "must be an ISO 8601 duration in weeks, or in days, hours, minutes and seconds, as in PT10M1S";
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

/** The move, or why it is none in words for whoever has typed it. */
export function parseClockMove(text: string): Parsed {
  const result = clockMove.safeParse(fromJson(text));
  if (result.success) return { move: result.data };
  const issue = result.error.issues.find(({ path }) => path.length > 0);
  return { error: issue === undefined ? USAGE : `${String(issue.path[0])} ${issue.message}` };
}

/** What is no JSON is no move either. */
function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
