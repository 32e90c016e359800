import { Rejection } from "@/lib/domain/errors";

/** Something the server sees. A block is text in which every character counts. */
export type Fact = { readonly label: string; readonly value: string; readonly block?: boolean };

/** What the server answers to a request that comes this far and fails here. */
export type Refusal = {
  readonly status: number;
  readonly code: string;
  readonly text: string;
  readonly path?: string;
};

export type Verdict =
  | { readonly kind: "passed" }
  | { readonly kind: "failed"; readonly refusal: Refusal }
  /** What is missing for the check, in a sentence. */
  | { readonly kind: "not judged"; readonly because: string };

/** One check of the server, its input and its result. */
export type Step = {
  readonly title: string;
  readonly facts: readonly Fact[];
  readonly verdict: Verdict;
};

/** The value that a check yields stands here only when it passed. */
export type Checked<Value> = { readonly step: Step; readonly value: Value | undefined };

/** Runs a check of the server; its Rejection is the verdict, any other error is an internal error. */
export async function checked<Value>(
  title: string,
  facts: readonly Fact[],
  check: () => Value | Promise<Value>,
): Promise<Checked<Value>> {
  try {
    const value = await check();
    return { step: { title, facts, verdict: { kind: "passed" } }, value };
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    const { status, faults } = error;
    const [{ code, text, path }] = faults;
    const refusal = { status, code, text, ...(path !== undefined && { path }) };
    return { step: { title, facts, verdict: { kind: "failed", refusal } }, value: undefined };
  }
}

export function notChecked(title: string, because: string, facts: readonly Fact[] = []): Step {
  return { title, facts, verdict: { kind: "not judged", because } };
}

/** The server's answer: the first step that fails ends the request. Undefined when none does. */
export function refusalIn(steps: readonly Step[]): Refusal | undefined {
  for (const { verdict } of steps) if (verdict.kind === "failed") return verdict.refusal;
  return undefined;
}
