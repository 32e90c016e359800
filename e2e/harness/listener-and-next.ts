import { X509Certificate } from "node:crypto";
import {
  type Http,
  type HttpReply,
  type HttpRequest,
  headerPairs,
  http,
  text,
} from "@/clients/typescript/src";
import { contentSecurityPolicy, securityHeaders } from "@/lib/server/security-headers";
import type { TestTpp } from "./test-tpp";

/** Status, headers and body of an answer, as far as the two servers can agree. */
type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

type Sent = Omit<HttpRequest, "url">;

export type Comparison = {
  /** The requests of our listener and of Next alone. */
  readonly ask: (requests: readonly [Sent, Sent], target: string) => Promise<[Answer, Answer]>;
  readonly close: () => Promise<void>;
};

/** How the bytes went over the connection, and when. */
const ofConnection = ["connection", "keep-alive", "date", "transfer-encoding", "content-length"];
/** What Next says to browsers, and what our listener does to answers of its own. */
const ofListener = [
  "vary",
  "link",
  "x-nextjs-cache",
  ...Object.keys(securityHeaders(contentSecurityPolicy, false)),
];
const unlessSaid = { "cache-control": "no-store" };
const uuid = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g;

/** The proxy before `next` is this function: it drops what a caller claims and names the certificate. */
export function comparison(tpp: TestTpp, next: string, identified = true): Comparison {
  const own: Http = identified ? tpp.http : http({ ca: tpp.certificates.ca });
  const plain = http({ ca: tpp.certificates.ca });
  const { raw } = new X509Certificate(tpp.certificates.qwac.pem);
  const certificate = identified ? { "client-cert": `:${raw.toString("base64")}:` } : {};
  return {
    ask: async ([one, other], target) => {
      const direct = { ...one, url: `${tpp.xs2aUrl}${target}` };
      const headers = { ...Object.fromEntries(headerPairs(other.headers)), ...certificate };
      const proxied = { ...other, headers, url: `${next}${target}` };
      // In this order: what the first has made, the second finds.
      return [answerOf(await own.send(direct)), answerOf(await plain.send(proxied))];
    },
    close: async () => {
      await Promise.all([plain.close(), identified ? undefined : own.close()]);
    },
  };
}

function answerOf({ status, headers, body }: HttpReply): Answer {
  const own = Object.entries(headers).filter(
    ([name]) => ![...ofConnection, ...ofListener].includes(name),
  );
  return { status, headers: { ...unlessSaid, ...Object.fromEntries(own) }, body: text(body) };
}

/** Without the ids that each answer makes for itself. */
export function withoutIds(answer: Answer): Answer {
  const plain: unknown = JSON.parse(JSON.stringify(answer).replace(uuid, "id"));
  return plain as Answer;
}
