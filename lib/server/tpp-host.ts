import type { IncomingMessage, ServerResponse } from "node:http";
import { log } from "@/lib/log";
import { keepConnection } from "./connections";
import { type FaultAnswer, faultFor, faultOfStatus, internalError } from "./fault-answer";
import {
  clientAddress,
  dropBrowserHeaders,
  dropOurHeaders,
  guardResponse,
  headerFault,
  noSuchResource,
  setHeader,
} from "./http";
import { keepRefusalCode } from "./refusal-code";
import { isOfSandboxApi, isOwnEndpoint, isResource } from "./tpp-paths";

/** Next's request handler, or a test's. */
export type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Yields the value of the `Client-Cert` header (RFC 9440), or undefined when there is none. */
export type ClientCertificate = (request: IncomingMessage) => string | undefined;

/** For any other method Next would answer itself, before a route sees the request. */
const routed = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
/** Next's own headers tell a TPP nothing. */
const nexts = /^(x-powered-by|x-nextjs-.*|x-middleware-.*|vary|link|refresh)$/;
const json = /^application\/([a-z0-9.-]+\+)?json\b/i;

/** The host that TPPs call: whatever happens, the answer is JSON in the standard's form. */
export function tppHost(handle: Handler, clientCertificate: ClientCertificate): Handler {
  return async (request, response) => {
    const fault = headerFault(request);
    if (fault !== undefined) {
      return send(response, faultFor(request, 400, "FORMAT_ERROR", fault));
    }
    const certificate = clientCertificate(request);
    dropOurHeaders(request);
    dropBrowserHeaders(request);
    if (certificate !== undefined) setHeader(request, "client-cert", certificate);
    const address = clientAddress(request);
    if (address !== undefined) setHeader(request, "client-address", address);
    direct(request);
    guardResponse(response, (written) => {
      const fault = jsonOnly(written);
      if (fault === undefined) keepConnection(written, showsAccepted(written));
      return fault;
    });
    try {
      await handle(request, response);
    } catch (error) {
      log.error({ err: error }, "a request of the TPP host failed");
      // Too late for another answer; the log of requests gets the 500.
      if (response.headersSent) failed(response).destroy();
      else send(response, faultFor(request, 500, ...internalError));
    }
  };
}

export function send(response: ServerResponse, { status, headers, body }: FaultAnswer): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  keepRefusalCode(response, status, body);
  response.writeHead(status, { connection: "close" }).end(body);
}

function failed(response: ServerResponse): ServerResponse {
  response.statusCode = 500;
  return response;
}

/** Leads everything that is no endpoint to the catch-all route, which checks the certificate first. */
function direct(request: IncomingMessage): void {
  const { method = "OPTIONS" } = request;
  // No resource of the standard offers OPTIONS, so that each answers 405 to it.
  if (!routed.includes(method)) request.method = "OPTIONS";
  const path = pathOf(request);
  // Compared as sent, as the route files are found. Between two slashes an id may have any characters: what
  // cannot be one is answered like any other unknown one.
  if (isResource(path)) return;
  if (isOfSandboxApi(path) || isOwnEndpoint(path)) return;
  request.url = noSuchResource;
}

/** No resource of the standard is answered with success before the QWAC has been accepted. */
function showsAccepted({ statusCode, req }: ServerResponse): boolean {
  return statusCode >= 200 && statusCode < 300 && isResource(pathOf(req));
}

function pathOf({ url = "/" }: IncomingMessage): string {
  return url.split("?", 1)[0] ?? url;
}

function jsonOnly(response: ServerResponse): FaultAnswer | undefined {
  for (const name of response.getHeaderNames()) {
    if (nexts.test(name)) response.removeHeader(name);
  }
  response.setHeader("x-content-type-options", "nosniff");
  if (!response.hasHeader("cache-control")) response.setHeader("cache-control", "no-store");
  const { statusCode } = response;
  const type = response.getHeader("content-type");
  if (typeof type === "string" && json.test(type)) return undefined;
  // A revocation is answered with 200 and nothing (RFC 7009 2.2).
  const revoked = type === undefined && pathOf(response.req) === "/token/revocation";
  if (statusCode === 204 || (statusCode === 200 && revoked)) return undefined;
  if (statusCode < 400) log.error({ statusCode }, "an answer of the TPP host was not JSON");
  return faultOfStatus(statusCode < 300 ? 500 : statusCode, response.req.headers);
}
