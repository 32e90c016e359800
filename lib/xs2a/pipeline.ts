import { dayIn } from "@/lib/domain/iso-date";
import type { Rejection } from "@/lib/domain/rejection";
import { checkNotBlocked } from "@/lib/domain/tpp/not-blocked";
import { checkNotRevoked } from "@/lib/eidas/not-revoked";
import { checkRole } from "@/lib/eidas/role";
import type { Endpoint } from "./endpoint";
import { openExchange } from "./exchange";
import { identifyTpp } from "./identify-tpp";
import { checkMediaTypes } from "./media-types";
import { parse } from "./parse";
import type { Xs2aPorts } from "./ports";
import { readBody } from "./read-body";
import { readJson } from "./read-json";
import { redirectDomains } from "./redirect-domains";
import { reply, replyWithTppMessages } from "./reply";
import { checkRequestId } from "./request-id";
import { verifySignature } from "./verify-signature";

const SEAL = "TPP-Signature-Certificate";

/** A TPP's request, top to bottom. */
export async function runPipeline<Headers, Path, Query, Body, Grant, Result>(
  endpoint: Endpoint<Headers, Path, Query, Body, Grant, Result>,
  request: Request,
  segments: Readonly<Record<string, unknown>>,
  ports: Xs2aPorts,
): Promise<Response> {
  const exchange = openExchange(request);
  try {
    const now = await ports.clock.now();
    const qwac = identifyTpp(request.headers, ports.trustAnchors, now);
    const hard = endpoint.role === "PSP_PI";
    await checkNotRevoked(ports, { certificate: qwac.certificate, hard, now });
    await checkNotBlocked(ports, qwac.tpp.id, now);
    checkRole(qwac.tpp, endpoint.role);
    const requestId = checkRequestId(request.headers);
    const bytes = await readBody(request, ports.profile.request.bodyBytesMax);
    const seal = verifySignature(request, bytes, qwac, ports, now);
    await checkNotRevoked(ports, { certificate: seal, hard, now, path: SEAL });
    checkMediaTypes(request.headers, bytes);

    const { prefersProblem } = exchange;
    const caller = { qwac, now, requestId, bytes, prefersProblem };
    const today = dayIn(ports.profile.timeZone, now);
    const circumstances = { ...ports, today, redirectDomains: redirectDomains(qwac, ports) };
    const headers = parse("header", endpoint.headers, request.headers, circumstances);
    const path = parse("path", endpoint.path, segments, circumstances);
    const authorization = request.headers.get("authorization");
    const grant = await endpoint.token({ ...caller, authorization, headers, path }, ports);
    const answered = await endpoint.answered?.(caller, ports);
    if (answered !== undefined) return reply(answered, exchange);
    const query = parse("query", endpoint.query, new URL(request.url).searchParams, circumstances);
    const form = endpoint.body;
    const bodyForm = typeof form === "function" ? form(circumstances, path) : form;
    const json = readJson(bytes, ports.profile.request);
    const body = parse("body", bodyForm, json, circumstances);

    const call = { ...caller, headers, path, query, body, grant };
    const result = await endpoint.handle(call, ports);
    return reply(endpoint.reply(result, ports), exchange);
  } catch (error) {
    return replyWithTppMessages(error, exchange);
  }
}

/** A path or method that is not offered: whoever has no accepted certificate learns not even that. */
export async function runRefusal(
  rejection: Rejection,
  request: Request,
  ports: Xs2aPorts,
): Promise<Response> {
  const exchange = openExchange(request);
  try {
    const now = await ports.clock.now();
    const { tpp, certificate } = identifyTpp(request.headers, ports.trustAnchors, now);
    await checkNotRevoked(ports, { certificate, hard: false, now });
    await checkNotBlocked(ports, tpp.id, now);
    throw rejection;
  } catch (error) {
    return replyWithTppMessages(error, exchange);
  }
}
