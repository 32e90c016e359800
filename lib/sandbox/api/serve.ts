import { noteAccepted } from "@/lib/accepted-tpp";
import { reject } from "@/lib/domain/errors";
import { admitTpp, checkNotBlocked } from "@/lib/domain/request-context";
import type { TppId } from "@/lib/domain/values";
import { checkTokenClient } from "@/lib/eidas/client-certificate";
import { type HttpAnswer, type HttpRequest, openExchange, responseOf } from "@/lib/xs2a/http";
import { describedOperation, type Named } from "@/lib/xs2a/openapi/operation";
import { parseWith } from "@/lib/xs2a/parse";
import { runRefusal } from "@/lib/xs2a/pipeline";
import { checkMediaTypes, readBody, readJson } from "@/lib/xs2a/read-request";
import { refusalSent } from "@/lib/xs2a/refusals";
import { reply, replyWithTppMessages } from "@/lib/xs2a/reply";
import { version } from "@/package.json";
import type { AnyOperation, InSandbox, SandboxApiServices } from "./declaration";
import { operations } from "./operations";

const BASE = "/sandbox/api/v1";

/**
 * What a TPP sets up for itself in the sandbox. Its QWAC alone says whose namespace a call is about: no path or body
 * can name another.
 */
export async function serveSandboxApi(
  services: SandboxApiServices,
  request: Request,
): Promise<Response> {
  const { pathname } = new URL(request.url);
  const { namespaces, sandboxClock } = services;
  if (namespaces !== undefined && pathname === `${BASE}/openapi.json`) {
    return Response.json(openApi());
  }
  const found = namespaces && find(pathname);
  if (namespaces === undefined || sandboxClock === undefined || found === undefined) {
    const nothing = reject("RESOURCE_UNKNOWN", "there is nothing at this address");
    return responseOf(await runRefusal(nothing, request, services));
  }
  const { methods, segments } = found;
  const declared = methods[request.method];
  if (declared === undefined) {
    const allow = Object.keys(methods).join(", ");
    const text = `${request.method} is not offered here; offered: ${allow}`;
    const refusal = reject("SERVICE_INVALID", text, { headers: { allow } });
    return responseOf(await runRefusal(refusal, request, services));
  }
  return responseOf(
    await answerTo(declared, request, segments, { ...services, namespaces, sandboxClock }),
  );
}

async function answerTo(
  declared: AnyOperation,
  request: HttpRequest,
  segments: Segments,
  services: InSandbox,
): Promise<HttpAnswer> {
  const exchange = openExchange(request);
  try {
    const bankNow = await services.clock.now();
    const clientCert = request.headers.get("client-cert") ?? undefined;
    const { tpp } = await checkTokenClient(clientCert, services, bankNow);
    noteAccepted(request, tpp);
    await admitTpp(services, tpp.id, bankNow);
    await checkNotBlocked(services, tpp.id, bankNow);
    const now = await services.clock.now(tpp.id);
    const bytes = await readBody(request, services.profile.request.bodyBytesMax);
    checkMediaTypes(request.headers, bytes);
    const value = await runOperation(declared, { tppId: tpp.id, now, segments, bytes }, services);
    return reply({ status: 200, body: { schema: declared.answer, value } }, exchange);
  } catch (error) {
    return replyWithTppMessages(error, exchange, services);
  }
}

type Asked = {
  readonly tppId: TppId;
  readonly now: Date;
  readonly segments: Segments;
  readonly bytes: Uint8Array;
};

/** What the call itself is, of a TPP that is known. */
export async function runOperation(
  declared: AnyOperation,
  { tppId, now, segments, bytes }: Asked,
  services: InSandbox,
): Promise<unknown> {
  const path = parseWith("path", declared.path, segments);
  const json = readJson(bytes, services.profile.request);
  const body = declared.body && parseWith("body", declared.body, json);
  if (body === undefined && json !== undefined) {
    throw reject("FORMAT_ERROR", "no body is read here");
  }
  return declared.handle({ tppId, now, path, body }, services);
}

type Segments = Readonly<Record<string, string>>;
type Found = { readonly methods: Methods; readonly segments: Segments };
type Methods = Readonly<Record<string, AnyOperation>>;

function find(pathname: string): Found | undefined {
  for (const [path, methods] of Object.entries<Methods>(operations)) {
    const pattern = `^${BASE}${path.replace(/\{(\w+)\}/g, "(?<$1>[\\w-]+)")}$`;
    const match = new RegExp(pattern).exec(pathname);
    if (match !== null) return { methods, segments: { ...match.groups } };
  }
  return undefined;
}

/** OpenAPI 3.1, from the schemas that the calls are checked with. */
export function openApi() {
  const named: Named = new Map();
  const paths = Object.entries<Methods>(operations).map(([path, methods]) => {
    const operation = Object.entries(methods).map(([method, declared]) => {
      const own = { ...declared, ...ofEvery, description: declared.summary };
      return [method.toLowerCase(), describedOperation(own, named)] as const;
    });
    return [`${BASE}${path}`, Object.fromEntries(operation)] as const;
  });
  return {
    openapi: "3.1.0",
    info: {
      title: "The sandbox of a TPP",
      version,
      summary: "People and accounts that only the TPP with this organizationIdentifier sees.",
    },
    servers: [{ url: "/" }],
    tags: [{ name: TAG }],
    paths: Object.fromEntries(paths),
    components: {
      schemas: Object.fromEntries(named),
      securitySchemes: {
        certificate: { type: "mutualTLS", description: "The TPP's QWAC, of any role." },
      },
    },
  };
}

const TAG = "Sandbox";

const refusals = [
  [400, "The call is not in order: FORMAT_ERROR."],
  [401, "The certificate is not accepted: CERTIFICATE_*."],
  [404, "Nothing of this namespace is there: RESOURCE_UNKNOWN."],
  [409, "The namespace is full: STATUS_INVALID."],
  [429, "Too many requests of this TPP: ACCESS_EXCEEDED."],
] as const;

const ofEvery = {
  tags: [TAG],
  security: [{ certificate: [] }],
  refusals,
  refusal: { type: "application/json", form: refusalSent },
};
