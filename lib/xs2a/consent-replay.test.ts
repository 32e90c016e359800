import { describe, expect, it } from "vitest";
import { createAccountConsent } from "@/lib/domain/consent/create-account-consent";
import { arrivalsBy } from "@/lib/domain/testing/in-memory-arrivals";
import { inMemoryBank } from "@/lib/domain/testing/in-memory-bank";
import { later } from "@/lib/domain/testing/samples";
import { endpoint } from "./endpoint";
import { sound } from "./testing/consent-request";
import { certificatesOf, now, portsOf, signedRequest } from "./testing/tpp";
import { noToken } from "./token";
import { accountConsentCreated } from "./wire/account-consent";
import { accountConsentRequest } from "./wire/account-consent-request";
import { redirectHeaders, wayBackOf } from "./wire/headers";
import { noPath, noQuery } from "./wire/path";

const own = await certificatesOf();
const other = await certificatesOf("PSDRO-NBR-7654321");

/** As the route declares it. */
const createConsent = endpoint({
  operationId: "createConsent",
  summary: "Ask",
  role: "PSP_AI",
  token: noToken,
  headers: redirectHeaders,
  path: noPath,
  query: noQuery,
  body: accountConsentRequest,
  refuses: {},
  handle: ({ qwac: { tpp }, requestId, headers, body, now: at }, ports) =>
    createAccountConsent(ports, {
      tpp,
      requestId,
      request: body,
      wayBack: wayBackOf(headers),
      now: at,
    }),
  reply: accountConsentCreated,
});

async function opened() {
  const { bank, ports } = inMemoryBank();
  const house = { ...(await portsOf()), ...ports };
  const send = async (request: Request, at = now) => {
    const clock = { now: async () => at };
    const arrivals = arrivalsBy({ ...house, clock });
    const answer = await createConsent(request.clone(), {}, { ...house, arrivals });
    const { tppMessages } = JSON.parse(String(answer.body)) as {
      tppMessages?: { code: string; path: string }[];
    };
    return [answer.status, tppMessages?.[0]?.code, tppMessages?.[0]?.path];
  };
  return { bank, send };
}

const request = (from = own, headers = {}) =>
  signedRequest(from, {
    body: JSON.stringify(sound),
    headers: {
      "psu-ip-address": "198.51.100.7",
      "tpp-redirect-uri": "https://tpp.example/cb",
      ...headers,
    },
  });

describe("a request for a consent", () => {
  it("S9: replayed creates nothing: refused by its X-Request-ID, and after five minutes by its Date", async () => {
    const { bank, send } = await opened();
    const captured = request();
    expect(await send(captured)).toEqual([201, undefined, undefined]);
    for (const minutes of [0, 4]) {
      expect(await send(captured, later(minutes))).toEqual([400, "FORMAT_ERROR", "X-Request-ID"]);
    }
    expect(await send(captured, later(6))).toEqual([400, "TIMESTAMP_INVALID", "Date"]);
    expect([bank.consents.size, bank.authorisations.size]).toEqual([1, 1]);
  });

  it("S9: has used its X-Request-ID in any spelling, for its own TPP only", async () => {
    const { bank, send } = await opened();
    const id = "99391c7e-ad88-49ec-a2ad-99ddcb1f7721";
    await send(request());
    const again = await send(request(own, { "x-request-id": id.toUpperCase() }));
    expect(again).toEqual([400, "FORMAT_ERROR", "X-Request-ID"]);
    expect(await send(request(other))).toEqual([201, undefined, undefined]);
    expect(bank.consents.size).toBe(2);
  });

  it("that was refused has not used its X-Request-ID", async () => {
    const { send } = await opened();
    const wrong = request(own, { "psu-ip-address": "nowhere" });
    expect(await send(wrong)).toEqual([400, "FORMAT_ERROR", "PSU-IP-Address"]);
    expect(await send(request())).toEqual([201, undefined, undefined]);
  });
});
