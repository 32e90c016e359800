import { readFile } from "node:fs/promises";
import path from "node:path";
import { retryAfter } from "@/lib/domain/unavailable";
import { type Outage, watchOutage } from "@/lib/outage";
import { withOwnScriptsOnly } from "./own-scripts";
import { guardResponse, type Replacement } from "./response-guard";
import { contentSecurityPolicy, securityHeaders } from "./security-headers";
import type { Handler } from "./tpp-host";

/** `app/(psu)/unavailable` as the build has written it: nothing has to be asked to show it. */
export async function readOutagePage(root: string): Promise<string> {
  const file = path.join(root, ".next", "server", "app", "unavailable.html");
  return withOwnScriptsOnly(await readFile(file, "utf8"));
}

type Shown = { readonly html: string; readonly https: boolean };

/**
 * Answers 503 in the place of whatever a page says that has met an outage: a page of the framework's has
 * a status of its own choice, and what cannot be read is not there rather than wrong. Who wants no page
 * gets JSON.
 */
export function answeringOutages(handle: Handler, { html, https }: Shown): Handler {
  const headers = {
    ...securityHeaders(contentSecurityPolicy, https),
    ...retryAfter,
    "cache-control": "no-store",
  };
  const answer = (type: string, body: string): Replacement => {
    const length = { "content-length": String(Buffer.byteLength(body)) };
    return { status: 503, headers: { ...headers, "content-type": type, ...length }, body };
  };
  const page = answer("text/html; charset=utf-8", html);
  const text = "the bank cannot answer at the moment, try again";
  const json = answer("application/json; charset=utf-8", JSON.stringify({ error: text }));
  return (request, response) => {
    const outage: Outage = { seen: false };
    const wanted = request.headers.accept?.includes("text/html") === true ? page : json;
    guardResponse(response, () => (outage.seen ? wanted : undefined));
    return watchOutage(outage, () => handle(request, response));
  };
}
