import type { Answer } from "../endpoint";

/** The body as it leaves, once it has passed its schema. */
export function sentBody<Body extends object>({ body }: Answer): Body {
  if (body === undefined) throw new Error("an answer without a body");
  return JSON.parse(JSON.stringify(body.schema.parse(body.value)));
}
