import { type Http, type HttpReply, type HttpRequest, NoAnswer, text } from "@/cli/tpp/http";
import { PageError } from "@/tools/psu-by-forms";
import type { Run } from "./tpp";
import type { Kind } from "./traffic";

/** Sends once; undefined when the bank gave no answer, or said that it has a fault. */
export type Attempt = (kind: Kind, sent: HttpRequest) => Promise<HttpReply | undefined>;

/** Calls of the XS2A interface over this connection, of which nothing dishonest goes unnoted. */
export function attempting(
  { notebook, tally, traffic, mayFail }: Pick<Run, "notebook" | "tally" | "traffic" | "mayFail">,
  connection: Pick<Http, "send">,
): Attempt {
  return async (kind, sent) => {
    const reply = await traffic
      .during(kind, () => connection.send(sent))
      .catch((error: unknown) => {
        if (!(error instanceof NoAnswer)) throw error;
        tally["calls without an answer"] += 1;
        if (mayFail === "nothing") notebook.failures.push(`${sent.method}: ${causeOf(error)}`);
        return undefined;
      });
    if (reply === undefined || reply.status < 500) return reply;
    tally["calls answered with a fault"] += 1;
    const isHonest = mayFail === "the database" && saysNotNow(reply);
    if (!isHonest) notebook.oddities.push(inWords(sent.method, reply));
    return undefined;
  };
}

/** The connection for the authorisation server: whoever uses it is not told, but its faults are noted. */
export function notingFaults(
  { notebook, mayFail }: Pick<Run, "notebook" | "mayFail">,
  connection: Http,
): Http {
  return {
    ...connection,
    send: async (sent) => {
      const reply = await connection.send(sent);
      const isHonest = mayFail === "the database" && saysTemporarily(reply);
      const { pathname } = new URL(sent.url);
      if (reply.status >= 500 && !isHonest)
        notebook.oddities.push(inWords(`${sent.method} ${pathname}`, reply));
      return reply;
    },
  };
}

/** A page with which the bank says that it has a fault, and not in the form in which it may. */
export function isDishonestPage(error: unknown, mayFail: Run["mayFail"]): boolean {
  if (!(error instanceof PageError) || error.status < 500) return false;
  return !(mayFail === "the database" && saysWhen(error.status, error.retryAfter));
}

export function inWords(call: string, { status, body }: Omit<HttpReply, "headers">): string {
  return `${call}: HTTP ${status} ${text(body).slice(0, 200)}`;
}

function causeOf({ cause, message }: NoAnswer): string {
  return cause instanceof Error ? `${message} (${cause.message})` : message;
}

/** The one form in which a bank without its database answers: try again, and when. */
export function saysNotNow(reply: HttpReply): boolean {
  const { tppMessages } = saidWithWhen(reply);
  if (!Array.isArray(tppMessages)) return false;
  return tppMessages.length === 1 && tppMessages[0]?.code === "SERVICE_UNAVAILABLE";
}

/** The same at the token endpoint. */
function saysTemporarily(reply: HttpReply): boolean {
  return saidWithWhen(reply).error === "temporarily_unavailable";
}

type Said = { readonly tppMessages?: unknown; readonly error?: unknown };

/** What a 503 says that also says when to try again; of any other answer nothing. */
function saidWithWhen({ status, headers, body }: HttpReply): Said {
  if (!saysWhen(status, headers["retry-after"])) return {};
  try {
    return { ...JSON.parse(text(body)) };
  } catch {
    return {};
  }
}

/** 503 and a number of seconds. */
function saysWhen(status: number, retryAfter: string | null | undefined): boolean {
  return status === 503 && /^\d+$/.test(retryAfter ?? "never");
}
