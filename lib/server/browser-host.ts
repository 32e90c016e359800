import type { ServerResponse } from "node:http";
import { log } from "@/lib/log";
import type { AddressOf } from "./client-address";
import { isHtml, rewriteHtml, withOwnScriptsOnly } from "./own-scripts";
import { dropBrowserHeaders, dropOurHeaders, setHeader } from "./request-headers";
import { noSuchPage, plainPath } from "./request-path";
import { guardResponse } from "./response-guard";
import { contentSecurityPolicy, securityHeaders } from "./security-headers";
import type { Handler } from "./tpp-host";

export type BrowserHost = {
  /** Where browsers find this host. With https they are told to come back by https only (HSTS). */
  readonly webUrl: URL;
  /** The files of `public/`, as paths: they and the build's own files may be cached. */
  readonly publicFiles: ReadonlySet<string>;
  readonly addressOf: AddressOf;
};

/** Paths of the TPP host, and the parts of Next that no page uses. */
const notHere =
  /^\/(open-banking|token|jwks|openapi\.json)(\/|$)|^\/\.well-known\/oauth-authorization-server(\/|$)/;
/** No form comes near it. Of a body whose length is not said Next itself reads no more than that. */
const bodyBytesMax = 1024 * 1024;
const nextsOwn = /^\/_next\/(?!static\/)/;
/**
 * Next reads such a body on every page for a call of one of its server actions, whoever sends it and from
 * wherever. Only the sandbox's own desk has any; the PSU's forms are sent as urlencoded.
 */
const called = /^\s*multipart\/form-data\b/i;
const takesCalls = /^\/sandbox\//;
/** What Next says about itself; its other headers are for its own script in the browser. */
const nexts = /^(x-powered-by|x-nextjs-(cache|prerender|matched-path))$/;

/** The host that browsers open: pages, `/auth`, and no endpoint of the TPP host. */
export function browserHost(
  handle: Handler,
  { webUrl, publicFiles, addressOf }: BrowserHost,
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
    if (path === undefined || notHere.test(path) || nextsOwn.test(path)) request.url = noSuchPage;
    const cacheable = path?.startsWith("/_next/static/") || publicFiles.has(path ?? "/");
    rewriteHtml(response, withOwnScriptsOnly);
    guardResponse(response, () => protect(response, headers, cacheable === true));
    if (called.test(request.headers["content-type"] ?? "none") && !takesCalls.test(path ?? "/")) {
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
      await handle(request, response);
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
  // Where nothing is kept there is nothing to vary.
  response.removeHeader("vary");
}
