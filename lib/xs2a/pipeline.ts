import { noteAccepted } from "@/lib/accepted-tpp";
import type { Rejection } from "@/lib/domain/errors";
import { admitTpp, checkRequestContext } from "@/lib/domain/request-context";
import type { Psd2Role } from "@/lib/domain/tpp";
import { dayIn, isUuid, type RequestId, type TppId } from "@/lib/domain/values";
import { presentedQwac } from "@/lib/eidas/client-certificate";
import { checkRole } from "@/lib/eidas/qwac-qsealc";
import { checkNotRevoked } from "@/lib/eidas/revocation";
import {
  type Caller,
  type CompleteEndpoint,
  headerSchemaContext,
  type SchemaContext,
  schemaContextOn,
  type Xs2aPorts,
} from "./declaration";
import { type HttpAnswer, type HttpRequest, openExchange } from "./http";
import { bodySchemaOf, parse } from "./parse";
import { checkMediaTypes, checkRequestId, readBody, readJson } from "./read-request";
import { reply, replyWithTppMessages } from "./reply";
import { namedInRequest, reloadIfStale } from "./request-context";
import { verifySignature } from "./signature";

const SEAL = "TPP-Signature-Certificate";

export async function runPipeline<Headers, Path, Query, Body, Grant, Result>(
  endpoint: CompleteEndpoint<Headers, Path, Query, Body, Grant, Result>,
  request: HttpRequest,
  segments: Readonly<Record<string, unknown>>,
  ports: Xs2aPorts,
): Promise<HttpAnswer> {
  const exchange = openExchange(request);
  let tppId: TppId | undefined;
  let at: Date | undefined;
  let body: Uint8Array | undefined;
  try {
    const names = endpoint.token.names(request.headers, segments);
    const asked = await namedInRequest(request.headers, ports, names);
    const context = await ports.requestContexts.load(asked);
    const { now, bankNow, tpp: knownTpp } = context;
    at = bankNow;
    const qwac = presentedQwac(clientCert(request), ports.trustAnchors, bankNow);
    tppId = qwac.tpp.id;
    const hard = endpoint.role === "PSP_PI";
    await checkNotRevoked(ports, { certificate: qwac.certificate, hard, now: bankNow });
    noteAccepted(request, qwac.tpp);
    checkRequestContext(context, qwac.tpp.id);
    await admitTpp(ports, qwac.tpp.id, bankNow);
    if (endpoint.role !== "any") checkRole(qwac.tpp, endpoint.role);
    const requestId = checkRequestId(request.headers);
    const bytes = await readBody(request, ports.profile.request.bodyBytesMax);
    body = bytes;
    const seal = verifySignature(request, bytes, qwac, ports, bankNow);
    await checkNotRevoked(ports, { certificate: seal, hard, now: bankNow, path: SEAL });
    ports.certificates.note(qwac, seal, bankNow);
    checkMediaTypes(request.headers, bytes);
    const known = await reloadIfStale(context, asked, exchange, ports);

    const { prefersProblem } = exchange;
    const caller: Caller = { qwac, knownTpp, now, requestId, bytes, prefersProblem };
    const today = dayIn(ports.profile.timeZone, now);
    const schemaContext = schemaContextOn(today, ports);
    const ofCaller = headerSchemaContext(qwac, schemaContext, ports);
    const headers = parse("header", endpoint.headers, request.headers, ofCaller);
    const authorization = request.headers.get("authorization");
    const { named, fundsConsent, tokenActive = false } = known;
    const presented = { authorization, token: asked.token, tokenActive, named, fundsConsent };
    let given: Given<Path, Query, Body, Grant>;
    try {
      const path = parse("path", endpoint.path, segments, schemaContext);
      const grant = await endpoint.token({ qwac, now, headers, path, ...presented }, ports);
      const sent = { url: request.url, bytes, path };
      given = { path, grant, ...contentOf(endpoint, sent, schemaContext) };
    } catch (outOfForm) {
      // It may have been in form when it was answered: `validUntil` was today's date before midnight, and the product was
      // offered.
      const answered = await endpoint.answered?.({ ...caller, headers }, ports);
      if (answered === undefined) throw outOfForm;
      return reply(answered, exchange);
    }

    const coreBank = ports.coreBank.forRequest?.(requestId) ?? ports.coreBank;
    const result = await endpoint.handle({ ...caller, headers, ...given }, { ...ports, coreBank });
    return reply(endpoint.reply(result, ports), exchange);
  } catch (error) {
    noteRefusal(error, request, { tppId, at, body, endpoint, segments, ...ports });
    return replyWithTppMessages(error, exchange, ports);
  }
}

type Given<Path, Query, Body, Grant> = {
  readonly path: Path;
  readonly grant: Grant;
  readonly query: Query;
  readonly body: Body;
};

type Caught = Pick<Xs2aPorts, "refusals" | "refusedRequestLog"> & {
  readonly tppId: TppId | undefined;
  readonly at: Date | undefined;
  /** Absent where it was refused before its body was read. */
  readonly body?: Uint8Array | undefined;
  /** What is offered at this path, and the values in it; absent where nothing is. */
  readonly endpoint?: { readonly role: Psd2Role | "any" };
  readonly segments?: Readonly<Record<string, unknown>>;
};

function noteRefusal(error: unknown, request: HttpRequest, caught: Caught): void {
  const { tppId, at, body, endpoint, segments } = caught;
  const { headers, url } = request;
  const asked = headers.get("x-request-id");
  const requestId = asked !== null && isUuid(asked) ? (asked as RequestId) : undefined;
  const named = segments?.["consentId"] ?? segments?.["paymentId"] ?? headers.get("consent-id");
  const resource =
    endpoint !== undefined && typeof named === "string" && isUuid(named)
      ? { kind: kindOfRole[endpoint.role], id: named.toLowerCase() }
      : undefined;
  const route = routeOf(new URL(url).pathname, segments);
  caught.refusals.note({ error, tppId, certificate: clientCert(request), requestId });
  caught.refusedRequestLog.note({ error, tppId, at, requestId, route, resource, request, body });
}

const ROUTE_CHARACTERS_MAX = 200;
const kindOfRole = {
  PSP_AI: "AIS",
  PSP_IC: "PIIS",
  PSP_PI: "PIS",
  PSP_AS: "AIS",
  any: "AIS",
} as const;

/** With names in place of values; of what there is not, the beginning, since anything may follow. */
function routeOf(path: string, segments?: Readonly<Record<string, unknown>>): string {
  const parts = path.split("/");
  if (segments === undefined)
    return [...parts.slice(0, 3), "…"].join("/").slice(0, ROUTE_CHARACTERS_MAX);
  const names = new Map(Object.entries(segments).map(([name, value]) => [value, `{${name}}`]));
  const named = parts.map((part) => names.get(part) ?? part);
  return named.join("/").slice(0, ROUTE_CHARACTERS_MAX);
}

/** From the TLS connection: the listener strips a caller's header of that name (RFC 9440). */
function clientCert({ headers }: HttpRequest): string | undefined {
  return headers.get("client-cert") ?? undefined;
}

type Sent<Path> = { readonly url: string; readonly bytes: Uint8Array; readonly path: Path };

function contentOf<Path, Query, Body>(
  form: Pick<CompleteEndpoint<never, Path, Query, Body, never, never>, "query" | "body">,
  { url, bytes, path }: Sent<Path>,
  schemaContext: SchemaContext,
) {
  const query = parse("query", form.query, new URL(url).searchParams, schemaContext);
  const json = readJson(bytes, schemaContext.profile.request);
  const body = parse("body", bodySchemaOf(form.body, schemaContext, path), json, schemaContext);
  return { query, body };
}

/** A path or method that is not offered; only callers with an accepted certificate learn it. */
export async function runRefusal(
  rejection: Rejection,
  request: HttpRequest,
  ports: Xs2aPorts,
): Promise<HttpAnswer> {
  const exchange = openExchange(request);
  let tppId: TppId | undefined;
  let at: Date | undefined;
  try {
    const context = await ports.requestContexts.load(await namedInRequest(request.headers, ports));
    const { bankNow: now } = context;
    at = now;
    const { tpp, certificate } = presentedQwac(clientCert(request), ports.trustAnchors, now);
    tppId = tpp.id;
    await checkNotRevoked(ports, { certificate, hard: false, now });
    noteAccepted(request, tpp);
    checkRequestContext(context, tpp.id);
    await admitTpp(ports, tpp.id, now);
    throw rejection;
  } catch (error) {
    noteRefusal(error, request, { tppId, at, ...ports });
    return replyWithTppMessages(error, exchange, ports);
  }
}
