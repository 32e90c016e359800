import type { Answer, BodyToWrite } from "../endpoint";

/** The body as it leaves, once it has passed its schema. */
export function sentBody<Body extends object>(answer: Answer): Body {
  const { schema, value } = bodyToWrite(answer);
  return JSON.parse(JSON.stringify(schema.parse(value)));
}

export function bodyToWrite({ body }: Answer): BodyToWrite {
  if (body === undefined) throw new Error("an answer without a body");
  return body;
}
