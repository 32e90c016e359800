import type { ServerResponse } from "node:http";
import inject from "light-my-request";
import { retryAfter } from "@/lib/domain/errors";
import { log } from "@/lib/log";
import { type PageState, watchMissingPage } from "@/lib/missing-page";
import { type Outage, watchOutage } from "@/lib/outage";
import {
  type AddressOf,
  callbackOf,
  dropBrowserHeaders,
  dropOurHeaders,
  guardResponse,
  noSuchPage,
  plainPath,
  type Replacement,
  setHeader,
} from "./http";
import { contentSecurityPolicy, securityHeaders } from "./security-headers";
import type { Handler } from "./tpp-host";

type BrowserHost = {
  /** The origin of this host; with https, answers carry HSTS. */
  readonly webUrl: URL;
  readonly part: "psu" | "staff";
  /** The paths of the files in `public/`; they and the build's own files may be cached. */
  readonly publicFiles: ReadonlySet<string>;
  readonly addressOf: AddressOf;
};

/** Paths of the TPP host, the bank API and the staff console, and the parts of Next that no page uses. */
const notHere =
  /^\/(bank|open-banking|token|jwks|openapi\.json|staff|sandbox\/api)(\/|$)|^\/\.well-known\/oauth-authorization-server(\/|$)/;
/** The build's files and the bank's theme, both under names that change with them. */
const kept = /^\/(_next\/static|theme)\//;
const ofStaff = /^\/staff(\/|$)/;
const noSuchStaffPage = "/staff/not-found";
/** Of pages that say what is not there or not allowed: a page of Next has no say in its status. */
const statuses: ReadonlyMap<string, number> = new Map([
  [noSuchStaffPage, 404],
  ["/staff/forbidden", 403],
]);
/** More than any form has. Of a body without a length Next itself reads no more than that. */
const bodyBytesMax = 1024 * 1024;
const nextsOwn = /^\/_next\/(?!static\/)/;
/** On any page Next takes such a body for a call of a server action. Only the sandbox's workshop has any. */
const serverAction = /^\s*multipart\/form-data\b/i;
const withServerActions = /^\/sandbox\//;
/** What Next says about itself; its other headers are for its own script in the browser. */
const nexts = /^(x-powered-by|x-nextjs-(cache|prerender|matched-path))$/;

/** A host that browsers open: the pages of PSUs with `/auth`, or those of staff, and no endpoint of the TPP host. */
export function browserHost(
  handle: Handler,
  { webUrl, part, publicFiles, addressOf }: BrowserHost,
): Handler {
  const https = webUrl.protocol === "https:";
  const headers = securityHeaders(contentSecurityPolicy, https);
  return async (request, response) => {
    const address = addressOf(request);
    dropOurHeaders(request);
    dropBrowserHeaders(request);
    if (address !== undefined) setHeader(request, "client-address", address);
    // Next compares a form's Origin with these, and fetches from them: no caller may choose them.
    request.headers.host = webUrl.host;
    request.headers["x-forwarded-proto"] = https ? "https" : "http";
    const path = plainPath(request.url ?? "/");
    const cacheable = kept.test(path ?? "/") || publicFiles.has(path ?? "/");
    const isHere =
      path !== undefined &&
      !nextsOwn.test(path) &&
      (part === "staff" ? cacheable || ofStaff.test(path) : !notHere.test(path));
    if (!isHere) request.url = part === "staff" ? noSuchStaffPage : noSuchPage;
    rewriteHtml(response, withOwnScriptsOnly);
    const status = statuses.get(isHere ? path : noSuchStaffPage);
    const page: PageState = { missing: false };
    guardResponse(response, () => {
      if (part === "staff" && status !== undefined) response.statusCode = status;
      if (page.missing) response.statusCode = 404;
      return protect(response, headers, cacheable === true);
    });
    const type = request.headers["content-type"] ?? "none";
    if (serverAction.test(type) && !withServerActions.test(path ?? "/")) {
      // The body is not read, so no other request can follow on this connection.
      response.writeHead(415, { "content-type": "text/plain", connection: "close" });
      response.end("Unsupported media type\n");
      return;
    }
    if (Number(request.headers["content-length"]) > bodyBytesMax) {
      response.writeHead(413, { "content-type": "text/plain" }).end("That is too much to send\n");
      return;
    }
    try {
      await watchMissingPage(page, () => handle(request, response));
    } catch (error) {
      log.error({ err: error }, "a request of the browser host failed");
      if (response.headersSent) response.destroy();
      else response.writeHead(500, { "content-type": "text/plain" }).end("Internal error\n");
    }
  };
}

function protect(
  response: ServerResponse,
  headers: Readonly<Record<string, string>>,
  cacheable: boolean,
): undefined {
  for (const name of response.getHeaderNames()) {
    if (nexts.test(name)) response.removeHeader(name);
  }
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  // Of the page as it was before its scripts were taken out.
  if (isHtml(response)) for (const name of ["content-length", "etag"]) response.removeHeader(name);
  const isFile = response.statusCode === 200 || response.statusCode === 304;
  if (cacheable && isFile) return;
  response.setHeader("cache-control", "no-store");
  response.removeHeader("vary");
}

/**
 * Next's script elements, and its hints to load them. React writes `<` in texts and attributes as
 * `&lt;`, and `</script` in scripts as an escape, so that these are elements and their ends.
 */
const scripts = /<script\b([^>]*)>[\s\S]*?<\/script>/g;
const hints = /<link\b(?=[^>]*\bas="script")[^>]*>/g;
const ours = /\ssrc="\/built\/[a-z-]+\.js"/;

/** No page needs React's 180 KiB in the browser: all of them are forms and links, with a small script of our own. */
export function withOwnScriptsOnly(html: string): string {
  return html
    .replace(scripts, (element, attributes: string) => (ours.test(attributes) ? element : ""))
    .replace(hints, "");
}

/** Rewrites each HTML answer as a whole; other answers pass untouched. */
function rewriteHtml(response: ServerResponse, rewrite: (html: string) => string): void {
  const { write, end } = response;
  const parts: Buffer[] = [];
  Object.assign(response, {
    write: (...all: unknown[]) => {
      if (!isHtml(response)) return Reflect.apply(write, response, all);
      keep(parts, all);
      callbackOf(all)?.();
      return true;
    },
    end: (...all: unknown[]) => {
      if (!isHtml(response)) return Reflect.apply(end, response, all);
      keep(parts, all);
      const html = rewrite(Buffer.concat(parts).toString("utf8"));
      return Reflect.apply(end, response, [html, callbackOf(all)]);
    },
  });
}

function isHtml(response: ServerResponse): boolean {
  return /^text\/html\b/i.test(String(response.getHeader("content-type")));
}

function keep(parts: Buffer[], [chunk]: readonly unknown[]): void {
  if (typeof chunk === "string") parts.push(Buffer.from(chunk, "utf8"));
  else if (chunk instanceof Uint8Array) parts.push(Buffer.from(chunk));
}

/** How old the page of an outage may be: it changes with the bank's profile. */
const OUTAGE_PAGE_MS = 10_000;

/** `app/(psu)/unavailable`, which takes no database, as it was when it was last asked for. */
export async function outagePage(next: Handler): Promise<() => string> {
  const rendered = async () => {
    const { statusCode, payload } = await inject(
      (request, response) => void next(request, response),
      { url: "/unavailable" },
    );
    if (statusCode !== 200) throw new Error(`the page of an outage: ${statusCode}`);
    return withOwnScriptsOnly(payload);
  };
  let html = await rendered();
  let since = performance.now();
  return () => {
    if (performance.now() - since > OUTAGE_PAGE_MS) {
      since = performance.now();
      rendered().then(
        (newer) => {
          html = newer;
        },
        (err: unknown) => log.error({ err }, "the page of an outage could not be made again"),
      );
    }
    return html;
  };
}

type Shown = { readonly html: () => string; readonly https: boolean };

/** Answers 503 after an outage during the request, whatever status Next would give its page; as JSON unless HTML is accepted. */
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
  const text = "the bank cannot answer at the moment, try again";
  const json = answer("application/json; charset=utf-8", JSON.stringify({ error: text }));
  return (request, response) => {
    const outage: Outage = { seen: false };
    const page = answer("text/html; charset=utf-8", html());
    const wanted = request.headers.accept?.includes("text/html") === true ? page : json;
    guardResponse(response, () => (outage.seen ? wanted : undefined));
    return watchOutage(outage, () => handle(request, response));
  };
}
