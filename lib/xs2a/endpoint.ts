import type { z } from "zod";
import type { AspspProfile } from "@/lib/domain/aspsp-profile";
import type { RequestId } from "@/lib/domain/identifiers";
import type { IsoDate } from "@/lib/domain/iso-date";
import type { StoredAnswer } from "@/lib/domain/payment/payment-store";
import type { Psd2Role } from "@/lib/domain/tpp/tpp";
import type { Qwac } from "@/lib/eidas/qwac";
import { runPipeline } from "./pipeline";
import type { Xs2aPorts } from "./ports";

/** What the form of a request depends on besides itself. */
export type Circumstances = {
  readonly today: IsoDate;
  readonly profile: AspspProfile;
  readonly sandbox: boolean;
  readonly cursorSecret: string;
  /** Host names of the QWAC that redirect URIs have to lie in; undefined when it is not enforced. */
  readonly redirectDomains: readonly string[] | undefined;
};

/** A schema, or one that depends on the day or on who asks. */
export type Form<Value> = z.ZodType<Value> | ((circumstances: Circumstances) => z.ZodType<Value>);

/** Who asks, when, and what the parts of the request said once they were checked. */
export type Caller = {
  readonly qwac: Qwac;
  readonly now: Date;
  readonly requestId: RequestId;
  /** The body as it came, which the signature covers. */
  readonly bytes: Uint8Array;
  /** A refusal is written as a problem document (RFC 7807). */
  readonly prefersProblem: boolean;
};

export type Call<Headers, Path, Query, Body, Grant> = Caller & {
  readonly headers: Headers;
  readonly path: Path;
  readonly query: Query;
  readonly body: Body;
  readonly grant: Grant;
};

/** Where an access token is looked for and what it has to open; see `token.ts`. */
export type TokenRule<Headers, Path, Grant> = (
  call: Pick<Caller, "qwac" | "now"> & {
    readonly authorization: string | null;
    readonly headers: Headers;
    readonly path: Path;
  },
  ports: Xs2aPorts,
) => Promise<Grant>;

/** An answer before it leaves: the body is checked against the schema on its way out. */
export type Answer = {
  readonly status: 200 | 201 | 204;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: { readonly schema: z.ZodType; readonly value: unknown };
};

/** One method of one path: who may call, what comes in, what is done, what goes out. */
export type Endpoint<Headers, Path, Query, Body, Grant, Result> = {
  readonly role: Psd2Role;
  readonly token: TokenRule<Headers, Path, Grant>;
  readonly headers: Form<Headers>;
  readonly path: Form<Path>;
  /**
   * The answer that this request has had before, for a resource that must not be made twice. It is
   * looked for before query and body are: whatever they say now, it is the answer.
   */
  readonly answered?: (caller: Caller, ports: Xs2aPorts) => Promise<StoredAnswer | undefined>;
  readonly query: Form<Query>;
  /** Its form may depend on what the path names: each payment product has fields of its own. */
  readonly body: z.ZodType<Body> | ((circumstances: Circumstances, path: Path) => z.ZodType<Body>);
  readonly handle: (
    call: Call<Headers, Path, Query, Body, Grant>,
    ports: Xs2aPorts,
  ) => Promise<Result>;
  readonly reply: (result: Result, ports: Xs2aPorts) => Answer | StoredAnswer;
};

/** An endpoint ready to run; what its parts pass to each other is nobody else's business. */
export type Runnable = (
  request: Request,
  segments: Readonly<Record<string, unknown>>,
  ports: Xs2aPorts,
) => Promise<Response>;

/** Declares an endpoint; the types of its parts follow from each other. */
export function endpoint<Headers, Path, Query, Body, Grant, Result>(
  declared: Endpoint<Headers, Path, Query, Body, Grant, Result>,
): Runnable {
  return (request, segments, ports) => runPipeline(declared, request, segments, ports);
}
