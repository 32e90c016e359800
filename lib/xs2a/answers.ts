import type { z } from "zod";
import type { Answer, BodyToWrite } from "./endpoint";

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

/** A header by the name the standard gives it; one that is not required comes when there is cause. */
export type AnswerHeader = { readonly description: string; readonly required: boolean };

/** The content of one answer, in the form that was declared. */
type Content = {
  readonly headers?: Readonly<Record<string, string>>;
} & Partial<Omit<BodyToWrite, "schema">>;

/** A hand that writes answers of the declared form and no others. */
export function answering<Args extends readonly unknown[]>(
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

/** For an answer that was written before it came here: it leaves as it is. */
export function asWritten<Written>(answers: Answers) {
  return Object.assign((written: Written) => written, { answers });
}

/** For what is always refused. */
export const neverGranted = Object.assign((never: never): Answer => never, { answers: undefined });
