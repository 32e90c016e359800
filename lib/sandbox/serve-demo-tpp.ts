import * as z from "zod";
import { readUpTo } from "@/lib/read-body";
import { isOpenTo } from "@/lib/workshop/context";
import {
  continueVisit,
  type DemoTppMeans,
  demoTppFolder,
  finishVisit,
  type ServiceRequest,
  startVisit,
} from "./demo-tpp";
import { keepVisit, newSessionId, readVisit, type Visit } from "./demo-tpp-visits";

/** Outside the sandbox there is nothing at these addresses. */
type Services = DemoTppMeans & {
  readonly config: DemoTppMeans["config"] & { readonly SANDBOX: boolean };
};

const COOKIE = "demo-tpp";
const FORM_BYTES_MAX = 4_096;
const text = z.string().trim().max(100);

const serviceRequests = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("accounts") }),
  z.object({ kind: z.literal("funds"), iban: text, amount: text, currency: text }),
  z.object({ kind: z.literal("payment"), iban: text, amount: text, to: text, name: text }),
]);

/** A form of `/sandbox/tpp`: the demo TPP asks the bank, and the browser goes where the PSU authorises. */
export async function serveStart(services: Services, request: Request): Promise<Response> {
  if (!isOpenTo(request.headers, services.config)) return nothingHere();
  const form = (await readUpTo(request.body, FORM_BYTES_MAX))?.toString("utf8");
  const asked = serviceRequests.safeParse(Object.fromEntries(new URLSearchParams(form))).data;
  if (asked === undefined) return seeOther("/sandbox/tpp");
  const visit = await startVisit(services, asked satisfies ServiceRequest);
  const sessionId = newSessionId();
  await keepVisit(demoTppFolder(services), sessionId, visit);
  const isSecure = services.config.WEB_URL.startsWith("https:");
  const cookie = `${COOKIE}=${sessionId}; Path=/sandbox/tpp; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
  return seeOther(visit.authorisation?.url ?? "/sandbox/tpp", { "Set-Cookie": cookie });
}

/** Where the bank sends the PSU back to. */
export async function serveCallback(services: Services, request: Request): Promise<Response> {
  if (!services.config.SANDBOX) return nothingHere();
  const { search } = new URL(request.url);
  return changed(services, request, (visit) => finishVisit(services, visit, search));
}

/** Asks once more for what can have changed. */
export async function serveAgain(services: Services, request: Request): Promise<Response> {
  if (!isOpenTo(request.headers, services.config)) return nothingHere();
  return changed(services, request, (visit) => continueVisit(services, visit));
}

/** Of this browser; undefined before it has asked for anything. */
export function visitOf(services: Services, cookie: string | null): Promise<Visit | undefined> {
  return readVisit(demoTppFolder(services), sessionIdIn(cookie));
}

async function changed(
  services: Services,
  request: Request,
  change: (visit: Visit) => Promise<Visit>,
): Promise<Response> {
  const sessionId = sessionIdIn(request.headers.get("cookie"));
  const visit = await readVisit(demoTppFolder(services), sessionId);
  if (visit !== undefined && sessionId !== undefined)
    await keepVisit(demoTppFolder(services), sessionId, await change(visit));
  return seeOther("/sandbox/tpp");
}

function sessionIdIn(cookie: string | null): string | undefined {
  return new RegExp(`(?:^|;\\s*)${COOKIE}=([\\w-]+)`).exec(cookie ?? "none")?.[1];
}

function seeOther(location: string, headers: Readonly<Record<string, string>> = {}): Response {
  const kept = { "Cache-Control": "no-store", Location: location, ...headers };
  return new Response(null, { status: 303, headers: kept });
}

function nothingHere(): Response {
  return new Response("there is nothing at this address", { status: 404 });
}
