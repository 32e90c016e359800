import type { Http, HttpReply, HttpRequest } from "../http";

export type Answer = { readonly status: number; readonly body?: unknown };

/** An Http that answers from a list and keeps what it was sent. */
export function answering(...answers: readonly Answer[]): Http & { readonly sent: HttpRequest[] } {
  const sent: HttpRequest[] = [];
  return {
    sent,
    send: async (request) => {
      const answer = answers[sent.push(request) - 1];
      if (answer === undefined) throw new Error(`no answer prepared for ${request.url}`);
      return reply(answer);
    },
    close: async () => undefined,
  };
}

function reply({ status, body }: Answer): HttpReply {
  const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
  return {
    status,
    headers: { "content-type": "application/json" },
    body: text === undefined ? new Uint8Array() : Buffer.from(text),
  };
}
