import type { z } from "zod";
import type { Psd2Role } from "@/lib/domain/tpp/tpp";
import type { Answers } from "./answers";
import type { Circumstances, HeaderCircumstances } from "./circumstances";
import type { Endpoint, Form, FormByPath } from "./endpoint";
import type { Refusals } from "./refusals";
import type { TokenDemand } from "./token-rule";

/** What an endpoint says of itself to whoever describes it: the very objects that it runs by. */
export type Declaration = {
  readonly operationId: string;
  readonly summary: string;
  readonly role: Psd2Role;
  readonly token: TokenDemand;
  readonly headers: Form<unknown, HeaderCircumstances>;
  readonly path: Form<unknown>;
  readonly query: Form<unknown>;
  readonly bodies: Bodies;
  readonly refuses: Refusals;
  readonly answers: Answers | undefined;
};

/** The form of the body; where it depends on the path, all its forms by what the path names. */
export type Bodies = (
  circumstances: Circumstances,
) => z.ZodType | Readonly<Record<string, z.ZodType>>;

export function declarationOf<Headers, Path, Query, Body, Grant, Result>({
  body,
  token,
  reply,
  ...declared
}: Endpoint<Headers, Path, Query, Body, Grant, Result>): Declaration {
  const { operationId, summary, role, headers, path, query, refuses } = declared;
  const { demands } = token;
  const { answers } = reply;
  const forms = { headers, path, query, bodies: bodiesOf(body) };
  return { operationId, summary, role, token: demands, ...forms, refuses, answers };
}

function bodiesOf<Path, Body>(body: Form<Body> | FormByPath<Path, Body>): Bodies {
  return (circumstances) => {
    if (!dependsOnPath(body)) return typeof body === "function" ? body(circumstances) : body;
    const paths = Object.entries(body.paths(circumstances));
    return Object.fromEntries(paths.map(([name, path]) => [name, body(circumstances, path)]));
  };
}

function dependsOnPath<Path, Body>(
  body: Form<Body> | FormByPath<Path, Body>,
): body is FormByPath<Path, Body> {
  return "paths" in body;
}
