import * as z from "zod";

/** Everything that a call can be refused with; RFC 9457. */
export const problemTypes = {
  "malformed-request": { status: 400, title: "The request is not in order" },
  unauthenticated: { status: 401, title: "No access token or certificate that is taken here" },
  "insufficient-scope": { status: 403, title: "The caller is not allowed to do this" },
  "not-found": { status: 404, title: "There is no such thing" },
  "method-not-allowed": { status: 405, title: "The method is not offered here" },
  "not-acceptable": { status: 406, title: "Answers are JSON" },
  conflict: { status: 409, title: "Not in its present state" },
  "body-too-large": { status: 413, title: "The body is too large" },
  "unsupported-media-type": { status: 415, title: "A body has to be JSON" },
  "internal-error": { status: 500, title: "A fault of ours" },
  unavailable: { status: 503, title: "The bank cannot answer at the moment" },
} as const;

export type ProblemType = keyof typeof problemTypes;
const types = Object.keys(problemTypes) as [ProblemType, ...ProblemType[]];

/** What is wrong with one part of the request, named as `query.limit`. */
type PartFault = { readonly part: string; readonly detail: string };

/** Ends a call of the bank API. `detail` leaves the bank's server, so it holds no internals. */
export class BankApiProblem extends Error {
  override readonly name = "BankApiProblem";

  constructor(
    readonly type: ProblemType,
    readonly detail: string,
    readonly errors: readonly PartFault[] = [],
  ) {
    super(`${type}: ${detail}`);
  }
}

const PREFIX = "urn:drawbridge:bank-api:";

export const problemSent = z
  .strictObject({
    type: z.enum(types.map((type) => `${PREFIX}${type}` as const)),
    title: z.string(),
    status: z.int(),
    detail: z.string().max(1_000),
    errors: z
      .array(z.strictObject({ part: z.string(), detail: z.string() }))
      .exactOptional()
      .describe("What is wrong with which part of the request."),
  })
  .meta({ id: "Problem", description: "Why a call was refused (RFC 9457)." });

function problemDocument({ type, detail, errors }: BankApiProblem) {
  const { status, title } = problemTypes[type];
  const more = errors.length > 0 ? { errors: [...errors] } : {};
  return { type: `${PREFIX}${type}`, title, status, detail: detail.slice(0, 1_000), ...more };
}

export function problemAnswer(problem: BankApiProblem) {
  const { status } = problemTypes[problem.type];
  return {
    status,
    headers: {
      "content-type": "application/problem+json",
      "cache-control": "no-store",
      ...(status === 401 && { "www-authenticate": "Bearer" }),
      ...(status === 503 && { "retry-after": RETRY_SECONDS }),
    },
    body: JSON.stringify(problemDocument(problem)),
  };
}

const RETRY_SECONDS = "2";

const byStatus = new Map<number, ProblemType>(
  types.map((type) => [problemTypes[type].status, type]),
);

/** Of a status that a part of the server has chosen which serves TPPs, too. */
export function problemTypeOf(status: number): ProblemType {
  return byStatus.get(status) ?? (status < 500 ? "malformed-request" : "internal-error");
}
