import type * as z from "zod";
import type { Namespaces } from "@/lib/core-bank/ledger/namespaces";
import type { SandboxClock, TppId } from "@/lib/domain/values";
import type { Xs2aPorts } from "@/lib/xs2a/declaration";
import type { SandboxMessages } from "../phone";

export type SandboxApiServices = Xs2aPorts & {
  /** Outside the sandbox, and with a core bank or sign-in of others, there are none. */
  readonly namespaces: Namespaces | undefined;
  readonly sandboxClock: SandboxClock | undefined;
  readonly sandboxMessages: SandboxMessages;
};

export type InSandbox = SandboxApiServices & {
  readonly namespaces: Namespaces;
  readonly sandboxClock: SandboxClock;
};

type Call<Path, Body> = {
  readonly tppId: TppId;
  readonly now: Date;
  readonly path: Path;
  readonly body: Body;
};

/** One method of one path; the description is made from it as well. */
type Operation<Path, Body, Result> = {
  readonly operationId: string;
  readonly summary: string;
  readonly path: z.ZodType<Path>;
  /** Left out where none is read. */
  readonly body?: z.ZodType<Body>;
  readonly handle: (call: Call<Path, Body>, services: InSandbox) => Promise<Result>;
  /** What `handle` yields, as it leaves. */
  readonly answer: z.ZodType<Result>;
};

export type AnyOperation = Operation<unknown, unknown, unknown>;

/** Declares an operation; the types of its parts follow from each other. */
export function operation<Path, Body, Result>(
  declared: Operation<Path, Body, Result>,
): AnyOperation {
  return declared as unknown as AnyOperation;
}
