import type { z } from "zod";
import type { FundsConsent } from "@/lib/domain/funds-confirmation/funds-consent";
import type { RequestId } from "@/lib/domain/identifiers";
import type { StoredAnswer } from "@/lib/domain/payment/payment-store";
import type { Named, NamedConsent } from "@/lib/domain/tpp/arrival";
import type { Psd2Role, Tpp } from "@/lib/domain/tpp/tpp";
import type { Qwac } from "@/lib/eidas/qwac";
import type { Answers } from "./answers";
import type { Circumstances, HeaderCircumstances } from "./circumstances";
import { type Declaration, declarationOf } from "./declaration";
import type { HttpAnswer, HttpHeaders, HttpRequest } from "./http";
import { runPipeline } from "./pipeline";
import type { Xs2aPorts } from "./ports";
import type { Refusals } from "./refusals";
import type { TokenDemand } from "./token-rule";

/** A schema, or one that depends on the day; that of headers also on who asks. */
export type Form<Value, Given = Circumstances> =
  | z.ZodType<Value>
  | ((circumstances: Given) => z.ZodType<Value>);

/** A form that depends on what the path names, with everything that it can name. */
export type FormByPath<Path, Value> = ((
  circumstances: Circumstances,
  path: Path,
) => z.ZodType<Value>) & {
  readonly paths: (circumstances: Circumstances) => Readonly<Record<string, Path>>;
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
  /** As this bank has it on record; undefined when it has not met the TPP yet. */
  readonly knownTpp?: Tpp | undefined;
};

export type Call<Headers, Path, Query, Body, Grant> = Caller & {
  readonly headers: Headers;
  readonly path: Path;
  readonly query: Query;
  readonly body: Body;
  readonly grant: Grant;
};

/** Where an access token is looked for and what it has to open; see `token.ts`. */
export type TokenRule<Headers, Path, Grant> = ((
  call: Pick<Caller, "qwac" | "now"> & {
    readonly authorization: string | null;
    readonly headers: Headers;
    readonly path: Path;
    /** What the look-up at the start of the request says of the token. */
    readonly tokenLives: boolean;
    /** The TPP's own consent that the request names, if the rule looks one up. */
    readonly named?: NamedConsent | undefined;
    readonly fundsConsent?: FundsConsent | undefined;
  },
  ports: Xs2aPorts,
) => Promise<Grant>) & {
  readonly demands: TokenDemand;
  /**
   * What to look up besides the token as the request arrives, before anything of it is judged; undefined
   * where not even a token is looked at.
   */
  readonly names: (
    headers: HttpHeaders,
    segments: Readonly<Record<string, unknown>>,
  ) => Omit<Named, "tppId" | "token"> | undefined;
};

/** An answer before it leaves: the body is checked against the schema on its way out. */
export type Answer = {
  readonly status: 200 | 201 | 204;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: BodyToWrite | undefined;
};

export type BodyToWrite = {
  readonly schema: z.ZodType;
  readonly value: unknown;
};

/** Writes the answer to a granted request, in the form that its `answers` declare; see `answers.ts`. */
export type Reply<Result> = ((result: Result, ports: Xs2aPorts) => Answer | StoredAnswer) & {
  /** Undefined for what is always refused. */
  readonly answers: Answers | undefined;
};

/** One method of one path: who may call, what comes in, what is done, what goes out. */
export type Endpoint<Headers, Path, Query, Body, Grant, Result> = {
  /** The name and the summary that the description of the API has for it. */
  readonly operationId: string;
  readonly summary: string;
  readonly role: Psd2Role;
  readonly token: TokenRule<Headers, Path, Grant>;
  readonly headers: Form<Headers, HeaderCircumstances>;
  readonly path: Form<Path>;
  /**
   * The answer that this request has had before, for a resource that must not be made twice. It is looked
   * for when query or body are out of form, since what is in form now finds it as it is handled.
   */
  readonly answered?: (
    call: Caller & { readonly headers: Headers },
    ports: Xs2aPorts,
  ) => Promise<Answer | StoredAnswer | undefined>;
  readonly query: Form<Query>;
  readonly body: Form<Body> | FormByPath<Path, Body>;
  /** What it can be refused with besides what any call and the token can; see `refusals.ts`. */
  readonly refuses: Refusals;
  readonly handle: (
    call: Call<Headers, Path, Query, Body, Grant>,
    ports: Xs2aPorts,
  ) => Promise<Result>;
  readonly reply: Reply<Result>;
};

/** An endpoint ready to run; what its parts pass to each other is nobody else's business. */
export type Runnable = (
  request: HttpRequest,
  segments: Readonly<Record<string, unknown>>,
  ports: Xs2aPorts,
) => Promise<HttpAnswer>;

/** Declares an endpoint; the types of its parts follow from each other. */
export function endpoint<Headers, Path, Query, Body, Grant, Result>(
  declared: Endpoint<Headers, Path, Query, Body, Grant, Result>,
): Runnable & Declared {
  const run: Runnable = (request, segments, ports) =>
    runPipeline(declared, request, segments, ports);
  return Object.assign(run, { declaration: declarationOf(declared) });
}

/** What says of itself how it is to be called. */
export type Declared = { readonly declaration: Declaration };
