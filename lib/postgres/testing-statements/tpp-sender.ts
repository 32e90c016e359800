import { X509Certificate } from "node:crypto";
import { expect } from "vitest";
import { routes } from "@/app/(xs2a)/routes";
import { type House, replaceHouse } from "@/lib/composition";
import type { TppId } from "@/lib/domain/identifiers";
import { thumbprintOf } from "@/lib/eidas/certificate";
import { certificatesOf, now, portsOf, signedRequest } from "@/lib/xs2a/testing/tpp";
import { exampleTpp } from "../samples";
import { newRequestId } from "../testing-payment-samples";
import type { WatchedStores } from "./stores";

const base = "/open-banking/v3.1";

export type Sent = {
  readonly method?: "GET" | "POST" | "DELETE";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly query?: string;
  /** What it is to be answered with: 200 unless another is named. */
  readonly status?: number;
};

/** Sends a TPP's request to the handler of its route; yields the body of the answer. */
export type Send = (
  route: string,
  path: Readonly<Record<string, string | undefined>>,
  sent?: Sent,
) => Promise<Record<string, unknown>>;

type Handler = (
  request: Request,
  context: { readonly params: Promise<object> },
) => Promise<Response>;

type Sender = {
  readonly tppId?: TppId;
  readonly at?: Date;
  /** The hash of the grant that a token with this scope stands on. */
  readonly grantOf?: (scope: string) => Promise<string>;
};

/**
 * A TPP of the bank with these stores, which is this process's bank until `stop`. `counts` is how many
 * statements each request has sent, the last time, by a count of all statements.
 */
export async function tppSender(
  stores: WatchedStores,
  statements: () => number,
  { tppId = exampleTpp.id, at = now, grantOf }: Sender = {},
) {
  await stores.clock.moveTo(at);
  const own = await certificatesOf(tppId, ["PSP_AI", "PSP_PI", "PSP_IC"]);
  const thumbprint = thumbprintOf(new X509Certificate(own.qwacPem).raw);
  const expiresAt = new Date(at.getTime() + 900_000);
  const ofAll = "grant of all tokens";
  await stores.models.upsert("Grant", ofAll, {}, expiresAt, {});
  const issued = { clientId: tppId, expiresAt, thumbprint, hash: "token" };
  // A token's signature is judged without the database; this one is named after what it opens.
  const read = async (scope: string) => {
    return { ...issued, scope, grantHash: (await grantOf?.(scope)) ?? ofAll };
  };
  const drawbridge = { ...(await portsOf()), ...stores, accessTokens: { read } };
  replaceHouse(drawbridge as unknown as House);
  const counts = new Map<string, number>();

  const send: Send = async (route, path, sent = {}) => {
    const { method = "GET", query = "", status = 200, body, headers = {} } = sent;
    const url = Object.entries(path).reduce(
      (text, [name, value]) => text.replace(`{${name}}`, value ?? name),
      `https://bank.example${base}${route}${query}`,
    );
    const all = { "x-request-id": newRequestId(), date: at.toUTCString(), ...headers };
    const text = body === undefined ? "" : JSON.stringify(body);
    const request = signedRequest(own, { method, url, headers: all, body: text });
    const handlers = routes[`${base}${route}`] as Partial<Record<string, Handler>> | undefined;
    const before = statements();
    const answer = await handlers?.[method]?.(request, { params: Promise.resolve(path) });
    if (answer === undefined) throw new Error(`there is no ${method} ${route}`);
    counts.set(`${method} ${route}`, statements() - before);
    const said = await answer.text();
    expect([route, query, answer.status, said]).toEqual([route, query, status, said]);
    return said === "" ? {} : JSON.parse(said);
  };
  const stop = () => replaceHouse(undefined);
  return { send, counts: counts as ReadonlyMap<string, number>, stop };
}
