import type { Action } from "./form-token";
import { carryOutcome, type Outcome } from "./outcome";
import type { Visit } from "./visit";

/** Every form is answered like this, so that a reload never sends it again. */
export function seeOther(location: string, cookies: readonly string[] = []): Response {
  const headers = new Headers({ Location: location, "Cache-Control": "no-store" });
  for (const cookie of cookies) headers.append("Set-Cookie", cookie);
  return new Response(null, { status: 303, headers });
}

/** The page of an authorisation; `again` asks an earlier question once more. */
export function pagePath(uid: string, again?: "accounts"): string {
  const query = again === undefined ? "" : `?question=${again}`;
  return `/authorise/${encodeURIComponent(uid)}${query}`;
}

export function formPath(uid: string, action: Action): string {
  return `${pagePath(uid)}/${action}`;
}

/** Back to the page, which shows the question that fits by now, and what came of the last answer. */
export async function toPage(
  { house, interaction: { uid } }: Visit,
  { outcome, again, cookies = [] }: Back = {},
): Promise<Response> {
  const carried = await carryOutcome({ uid, config: house.config }, outcome);
  return seeOther(pagePath(uid, again), [carried, ...cookies]);
}

type Back = {
  readonly outcome?: Outcome;
  readonly again?: "accounts";
  readonly cookies?: readonly string[];
};
