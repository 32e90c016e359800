import { type HttpReply, text } from "./http";
import type { Headers } from "./signing";
import type { Refusal, TppMessage } from "./wire";

/** An answer of the bank: what was asked for, or the reasons why not. */
export type Reply<Body> = {
  readonly status: number;
  readonly headers: Headers;
} & ({ readonly ok: true; readonly body: Body } | { readonly ok: false; readonly body: Refusal });

/** The bank refused; the message holds the bank's own reasons. */
export class Refused extends Error {
  override readonly name = "Refused";
  readonly status: number;
  readonly refusal: Refusal;
  constructor(status: number, refusal: Refusal) {
    const reasons = refusal.tppMessages.map(({ code, path, text: why }) =>
      [code, path && `(${path})`, why && `- ${why}`].filter(Boolean).join(" "),
    );
    super([`HTTP ${status}`, ...reasons].join("\n  "));
    this.status = status;
    this.refusal = refusal;
  }
}

/** The body of an answer that has to be a success. Throws Refused. */
export function granted<Body>(reply: Reply<Body>): Body {
  if (!reply.ok) throw new Refused(reply.status, reply.body);
  return reply.body;
}

/** What is no 2xx, or holds no JSON where it has to, is a refusal; what a success holds is taken at its word. */
export function replyOf<Body>({ status, headers, body }: HttpReply): Reply<Body> {
  const parsed = json(body);
  const isSuccess = status >= 200 && status < 300 && (parsed !== undefined || status === 204);
  return isSuccess
    ? { status, headers, ok: true, body: parsed as Body }
    : { status, headers, ok: false, body: asRefusal(parsed) };
}

function json(body: Uint8Array): unknown {
  if (body.byteLength === 0) return undefined;
  try {
    return JSON.parse(text(body));
  } catch {
    return undefined;
  }
}

/** Anything else than the standard's form tells no reason. */
function asRefusal(body: unknown): Refusal {
  const { tppMessages, _links }: { [name in keyof Refusal]?: unknown } = isObject(body) ? body : {};
  return {
    tppMessages: Array.isArray(tppMessages) ? tppMessages.filter(isMessage) : [],
    ...(isObject(_links) && { _links }),
  };
}

function isMessage(value: unknown): value is TppMessage {
  return isObject(value) && "code" in value && typeof value.code === "string";
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
