import type * as z from "zod";
import { getOrCreate } from "@/lib/cache";
import type { AspspProfile } from "@/lib/domain/bank-profile";
import type { RefusalLog } from "@/lib/domain/events";
import type { FundsConsent } from "@/lib/domain/funds";
import type { StoredAnswer } from "@/lib/domain/payments";
import type { Ports } from "@/lib/domain/ports";
import type { IssuedToken, Named, NamedConsent } from "@/lib/domain/request-context";
import type { Psd2Role, Tpp } from "@/lib/domain/tpp";
import type { IsoDate, RequestId } from "@/lib/domain/values";
import type { Qwac } from "@/lib/eidas/qwac-qsealc";
import type { Revocation } from "@/lib/eidas/revocation";
import type { TrustAnchors } from "@/lib/eidas/trust";
import type { AttendedReads } from "./attended-reads";
import type { CertificateLog } from "./certificate-log";
import type { HttpAnswer, HttpHeaders, HttpRequest } from "./http";
import type { Refusals } from "./refusals";
import type { RefusedRequestLog } from "./refused-request-log";

/** A schema, or one that depends on the day; that of headers also on who asks. */
export type Form<Value, Given = SchemaContext> =
  | z.ZodType<Value>
  | ((schemaContext: Given) => z.ZodType<Value>);

/** Several forms by name, of which the path decides on one. */
export type FormByPath<Path, Value> = {
  readonly forms: (schemaContext: SchemaContext) => Readonly<Record<string, z.ZodType<Value>>>;
  readonly nameOf: (path: Path) => string;
};

/** Who asks, when, and what the parts of the request said once they were checked. */
export type Caller = {
  readonly qwac: Qwac;
  readonly now: Date;
  readonly requestId: RequestId;
  /** The body as it came, which the signature covers. */
  readonly bytes: Uint8Array;
  /** A refusal is written as a problem document (RFC 7807). */
  readonly prefersProblem: boolean;
  /** As this bank has it on record; undefined on the TPP's first call. */
  readonly knownTpp?: Tpp | undefined;
};

export type Call<Headers, Path, Query, Body, Grant> = Caller & {
  readonly headers: Headers;
  readonly path: Path;
  readonly query: Query;
  readonly body: Body;
  readonly grant: Grant;
};

/** Where an access token is read from and which scope it needs; see `token.ts`. */
export type TokenRule<Headers, Path, Grant> = ((
  call: Pick<Caller, "qwac" | "now"> & {
    readonly authorization: string | null;
    /** What this bank has issued as the token in it; undefined for any other. */
    readonly token: AccessToken | undefined;
    readonly headers: Headers;
    readonly path: Path;
    /** What the look-up at the start of the request says of the token. */
    readonly tokenActive: boolean;
    /** The TPP's own consent that the request names, if the rule looks one up. */
    readonly named?: NamedConsent | undefined;
    readonly fundsConsent?: FundsConsent | undefined;
  },
  ports: Xs2aPorts,
) => Promise<Grant>) & {
  readonly demands: TokenDemand;
  /** What to load besides the token before the request is validated; undefined where no token is read. */
  readonly names: (
    headers: HttpHeaders,
    segments: Readonly<Record<string, unknown>>,
  ) => Omit<Named, "tppId" | "token"> | undefined;
};

/** An answer before it is serialised: the body is checked against the schema. */
export type Answer = {
  readonly status: 200 | 201 | 204;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: BodyToWrite | undefined;
};

export type BodyToWrite = {
  readonly schema: z.ZodType;
  readonly value: unknown;
};

/** Writes the answer to a granted request, in the form that its `answers` declare. */
export type Reply<Result> = ((result: Result, ports: Xs2aPorts) => Answer | StoredAnswer) & {
  readonly answers: Answers | undefined;
};

/** One method of one path: the role, the request, the use case, the response. */
export type Endpoint<Headers, Path, Query, Body, Grant, Result> = {
  readonly operationId: string;
  readonly summary: string;
  /** `any` is open to every TPP that this bank accepts. */
  readonly role: Psd2Role | "any";
  readonly token: TokenRule<Headers, Path, Grant>;
  /** Left out, those of a call about a resource by its id. */
  readonly headers?: Form<Headers, HeaderSchemaContext>;
  /** Path, query and body are left out where there is nothing to read in them. */
  readonly path?: Form<Path>;
  /**
   * The earlier answer to the same request, for a resource that must not be made twice. It is read when path,
   * query or body are invalid now; a valid request finds it in its use case.
   */
  readonly answered?: (
    call: Caller & { readonly headers: Headers },
    ports: Xs2aPorts,
  ) => Promise<Answer | StoredAnswer | undefined>;
  readonly query?: Form<Query>;
  readonly body?: Form<Body> | FormByPath<Path, Body>;
  /** What it can be refused with besides what any call and the token can; see `refusals.ts`. */
  readonly refuses?: Refusals;
  readonly handle: (
    call: Call<Headers, Path, Query, Body, Grant>,
    ports: Xs2aPorts,
  ) => Promise<Result>;
  readonly reply: Reply<Result>;
};

/** With the forms that it left out. */
export type CompleteEndpoint<H, P, Q, B, G, R> = Endpoint<H, P, Q, B, G, R> &
  Required<Pick<Endpoint<H, P, Q, B, G, R>, "headers" | "path" | "query" | "body" | "refuses">>;

/** An endpoint ready to run; its type parameters are hidden. */
export type Runnable = (
  request: HttpRequest,
  segments: Readonly<Record<string, unknown>>,
  ports: Xs2aPorts,
) => Promise<HttpAnswer>;

/** An endpoint as the OpenAPI description reads it: the same object that it runs with. */
export type Declaration = Pick<
  CompleteEndpoint<unknown, unknown, unknown, unknown, never, never>,
  "operationId" | "summary" | "role" | "headers" | "path" | "query" | "refuses"
> & {
  readonly token: Pick<TokenRule<never, never, unknown>, "demands">;
  readonly body: Form<unknown> | Pick<FormByPath<never, unknown>, "forms">;
  readonly reply: Pick<Reply<never>, "answers">;
};

/**
 * What a granted request is answered with. The body is checked against the schema on its way out, and
 * the description of the API shows the same schema.
 */
export type Answers = {
  readonly status: Answer["status"];
  readonly description: string;
  readonly headers?: AnswerHeaders;
  /** By the status of a refusal: what comes beside the headers that any refusal with it may have. */
  readonly headersOfRefusals?: Readonly<Record<number, AnswerHeaders>>;
  /** Left out, there is no body. */
  readonly body?: z.ZodType;
};

export type AnswerHeaders = Readonly<Record<string, AnswerHeader>>;

export type AnswerHeader = { readonly description: string; readonly required: boolean };

/** The content of one answer, in the form that was declared. */
type Content = {
  readonly headers?: Readonly<Record<string, string>>;
} & Partial<Omit<BodyToWrite, "schema">>;

export function replyOf<Args extends readonly unknown[]>(
  answers: Answers,
  write: (...args: Args) => Content,
) {
  const answer = (...args: Args): Answer => {
    const { headers, value } = write(...args);
    const { status, body: schema } = answers;
    return { status, headers, body: schema === undefined ? undefined : { schema, value } };
  };
  return Object.assign(answer, { answers });
}

/** The headers of an answer that says where a new resource is and how the PSU authorises it. */
export const headersOfCreation = {
  Location: { description: "Where the resource is.", required: true },
  "ASPSP-SCA-Approach": {
    description: "Always REDIRECT: the PSU authorises in a browser.",
    required: true,
  },
} as const satisfies AnswerHeaders;

/** Sent only by a bank that tells TPPs of changes of status. */
export const headersOfNotifications = {
  "ASPSP-Notification-Support": {
    description:
      "To a request with a TPP-Notification-URI: whether it is told of changes of status.",
    required: false,
  },
  "ASPSP-Notification-Content": { description: "Then, of which changes.", required: false },
} as const satisfies AnswerHeaders;

/** Of one that its TPP may be told of. */
export const headersOfNotified = { ...headersOfCreation, ...headersOfNotifications };

/** For an answer that was serialised before: it is sent unchanged. */
export function serialisedBefore<Written>(answers: Answers) {
  return Object.assign((written: Written) => written, { answers });
}

export const neverGranted = Object.assign((never: never): Answer => never, { answers: undefined });

/** What a rule asks of an access token; the description of the API says the same. */
export type TokenDemand =
  | { readonly bearer: "none" }
  | {
      readonly bearer: "optional" | "required";
      /** The token's scope, with the name of the id that stands in it. */
      readonly scope: string;
      readonly refuses: readonly Refusals[];
    };

/** A check of the access token, the scope it needs, and the ids to load for it. */
export function tokenRule<Headers, Path, Grant>(
  demands: TokenDemand,
  check: (...args: Parameters<TokenRule<Headers, Path, Grant>>) => Promise<Grant>,
  names: TokenRule<unknown, unknown, unknown>["names"] = demands.bearer === "none"
    ? () => undefined
    : () => ({}),
): TokenRule<Headers, Path, Grant> {
  return Object.assign(check, { demands, names });
}

/** What the form of a request depends on besides itself. */
export type SchemaContext = {
  readonly today: IsoDate;
  readonly profile: AspspProfile;
  readonly sandbox: boolean;
  readonly cursorSecret: string;
  /** Whether this bank tells TPPs of changes of status. */
  readonly notifies?: boolean;
};

/** The form of the headers depends on the TPP, too. */
export type HeaderSchemaContext = SchemaContext & {
  /** Host names of the QWAC that redirect URIs have to lie in; undefined in a sandbox that does not ask for it. */
  readonly redirectDomains: readonly string[] | undefined;
  /** One that lies elsewhere is accepted and logged. */
  readonly onlyWarnsOfDomains?: boolean;
};

/** So many TPPs have their schemas cached. */
const TPPS_MAX = 200;

const contextsByDay = new WeakMap<Xs2aPorts, SchemaContext>();
const contextsByTpp = new WeakMap<SchemaContext, Map<string, HeaderSchemaContext>>();

/** The same object all day, since schemas are cached by it. */
export function schemaContextOn(today: IsoDate, ports: Xs2aPorts): SchemaContext {
  const known = contextsByDay.get(ports);
  if (known?.today === today) return known;
  const { profile, sandbox, cursorSecret, notifies } = ports;
  const made = { today, profile, sandbox, cursorSecret, notifies };
  contextsByDay.set(ports, made);
  return made;
}

/**
 * The same object all day for the same host names of the certificate. Redirect URIs have to lie in them: a URI
 * elsewhere would send an authorisation code to another party. A sandbox that only warns does not look: its TPPs are on
 * localhost.
 */
export function headerSchemaContext(
  { certificate }: Qwac,
  schemaContext: SchemaContext,
  { redirectUriDomainCheck }: Pick<Xs2aPorts, "redirectUriDomainCheck">,
): HeaderSchemaContext {
  const onlyWarnsOfDomains = redirectUriDomainCheck === "warn";
  const redirectDomains =
    onlyWarnsOfDomains && schemaContext.sandbox ? undefined : hostNamesOf(certificate);
  const known = contextsByTpp.get(schemaContext) ?? new Map<string, HeaderSchemaContext>();
  contextsByTpp.set(schemaContext, known);
  const key = redirectDomains === undefined ? "any" : JSON.stringify(redirectDomains);
  return getOrCreate(known, key, TPPS_MAX, () => ({
    ...schemaContext,
    ...{ redirectDomains, onlyWarnsOfDomains },
  }));
}

/** More than one label: a name of one word is an organisation's, and may be a top-level domain too. */
const HOST_NAME = /^(?:\*\.)?(?:[a-z0-9-]+\.)+[a-z][a-z0-9-]*$/;

/** The SubjectAltName, and the common name where that is a host name as well. */
function hostNamesOf({ dnsNames, commonName }: Qwac["certificate"]): readonly string[] {
  const name = commonName?.toLowerCase();
  return name !== undefined && HOST_NAME.test(name) ? [...dnsNames, name] : dnsNames;
}

export type Xs2aPorts = Ports & {
  readonly trustAnchors: TrustAnchors;
  readonly revocation: Revocation;
  readonly refusals: RefusalLog;
  readonly certificates: CertificateLog;
  readonly refusedRequestLog: RefusedRequestLog;
  readonly attendedReads: AttendedReads;
  readonly accessTokens: AccessTokens;
  /** Public bases of our own links, from the configuration and never from the Host header. */
  readonly links: {
    readonly aisp: string;
    readonly pisp: string;
    /** Its consents are `/v2`, its funds confirmations `/v1`. */
    readonly cbpii: string;
    /** The authorisation server's metadata (RFC 8414). */
    readonly scaOAuth: string;
    /** The pages of the error codes, one below it for each. */
    readonly errors: string;
  };
  /** Keys the seal of paging cursors. */
  readonly cursorSecret: string;
  readonly sandbox: boolean;
  readonly notifies: boolean;
  readonly redirectUriDomainCheck: "strict" | "warn";
};

export type AccessToken = Omit<IssuedToken, "authorisationId">;

/** Reads what is genuine; undefined for everything else. */
type AccessTokens = { readonly read: (token: string) => Promise<AccessToken | undefined> };
