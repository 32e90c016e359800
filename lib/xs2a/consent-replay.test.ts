import { describe, expect, it, vi } from "vitest";
import { POST as askForAccounts } from "@/app/(xs2a)/open-banking/v3.1/aisp/v1/consents/route";
import { POST as askForFunds } from "@/app/(xs2a)/open-banking/v3.1/cbpii/v2/consents/confirmation-of-funds/route";
import { inMemoryBank, requestContextsBy } from "@/lib/domain/testing/in-memory-bank";
import { later } from "@/lib/domain/testing/samples";
import type { Xs2aPorts } from "./declaration";
import { IBAN, validConsent } from "./testing/requests";
import { certificatesOf, now, portsOf, signedRequest } from "./testing/tpp";

let ports: Xs2aPorts;
vi.mock("@/lib/services", () => ({ services: () => ports }));

const own = await certificatesOf(undefined, ["PSP_AI", "PSP_IC"]);
const other = await certificatesOf("PSDRO-NBR-7654321", ["PSP_AI", "PSP_IC"]);

const kinds = [
  { kind: "accounts", ask: askForAccounts, body: validConsent, changed: { frequencyPerDay: 3 } },
  {
    kind: "funds",
    ask: askForFunds,
    body: { account: { iban: IBAN }, cardNumber: "1234" },
    changed: { cardNumber: "4321" },
  },
] as const;
const [accounts] = kinds;

type Asked = {
  readonly from?: typeof own;
  readonly changed?: object;
  readonly headers?: Readonly<Record<string, string>>;
  readonly at?: Date;
};

/** A bank whose answers are shown as a TPP sees them, but for the id of the exchange. */
async function opened({ ask, body }: (typeof kinds)[number]) {
  const { bank, ports: single } = inMemoryBank();
  const send = async ({ from = own, changed = {}, headers = {}, at = now }: Asked = {}) => {
    const clock = { now: async () => at };
    const memory = { ...(await portsOf()), ...single, clock };
    ports = { ...memory, requestContexts: requestContextsBy(memory) };
    const request = signedRequest(from, {
      body: JSON.stringify({ ...body, ...changed }),
      headers: {
        date: at.toUTCString(),
        "psu-ip-address": "198.51.100.7",
        "tpp-redirect-uri": "https://tpp.example/cb",
        "tpp-nok-redirect-uri": "https://tpp.example/no",
        ...headers,
      },
    });
    const answer = await ask.answer(request, {});
    const { "x-fapi-interaction-id": _, ...told } = answer.headers;
    return { status: answer.status, headers: told, text: String(answer.body) };
  };
  return { bank, send };
}

const used = { status: 400, text: expect.stringMatching(/FORMAT_ERROR.*X-Request-ID/) };

describe("S9: a request for a consent about accounts that asks to be notified", () => {
  it("says again whether its TPP is notified, and is another one with another URI", async () => {
    const { bank, send } = await opened(accounts);
    const headers = {
      "tpp-notification-uri": "https://tpp.example/told",
      "tpp-notification-content-preferred": "status=SCA, LAST",
    };
    const first = await send({ headers });
    expect(first.headers).toMatchObject({
      "aspsp-notification-support": "true",
      "aspsp-notification-content": "status=SCA,LAST",
    });
    const [started] = [...bank.authorisations.values()];
    expect(started?.notification).toEqual({
      uri: "https://tpp.example/told",
      content: ["SCA", "LAST"],
    });
    expect(await send({ headers })).toEqual(first);
    expect(await send()).toMatchObject(used);
  });
});

it.each(kinds)(
  "PSU-Accept-Language of a request for a consent about $kind is kept for the pages",
  async (kind) => {
    const { bank, send } = await opened(kind);
    await send({ headers: { "psu-accept-language": `ro;q=0.9${" ".repeat(2_000)},en` } });
    const [started] = [...bank.authorisations.values()];
    expect(started?.acceptLanguage).toMatch(/^ro;q=0.9 +$/);
    expect(started?.acceptLanguage).toHaveLength(1_000);
  },
);

describe.each(kinds)("S9: a request for a consent about $kind that arrives again", (kind) => {
  it("gets the first answer, and nothing is made a second time", async () => {
    const { bank, send } = await opened(kind);
    const first = await send();
    expect(first.status).toBe(201);
    const again = { "x-request-id": String(first.headers["x-request-id"]).toUpperCase() };
    for (const asked of [{}, { at: later(14) }, { headers: { "psu-ip-address": "192.0.2.7" } }]) {
      expect(await send(asked)).toEqual(first);
    }
    expect(await send({ headers: again })).toMatchObject({ text: first.text });
    expect([bank.consents.size + bank.fundsConsents.size, bank.authorisations.size]).toEqual([
      1, 1,
    ]);
  });

  it.each([
    ["another body", { changed: kind.changed }],
    ["another redirect URI", { headers: { "tpp-redirect-uri": "https://tpp.example/other" } }],
    ["another Nok URI", { headers: { "tpp-nok-redirect-uri": "https://tpp.example/other" } }],
    ["another PSU-ID", { headers: { "psu-id": "ana" } }],
  ])("with %s is 400 FORMAT_ERROR, and nothing is made", async (_, asked: Asked) => {
    const { bank, send } = await opened(kind);
    await send();
    expect(await send(asked)).toMatchObject(used);
    expect(bank.authorisations.size).toBe(1);
  });

  it("from another TPP is a new request and shows nothing of the first", async () => {
    const { bank, send } = await opened(kind);
    const first = await send();
    const others = await send({ from: other });
    expect(others).toMatchObject({ status: 201 });
    expect(others.headers["location"]).not.toBe(first.headers["location"]);
    expect(bank.authorisations.size).toBe(2);
  });

  it("is 400 FORMAT_ERROR once the consent is not received any more", async () => {
    const { bank, send } = await opened(kind);
    await send();
    expect(await send({ at: later(15) })).toMatchObject(used);
    for (const consents of [bank.consents, bank.fundsConsents] as Map<
      string,
      { status: string }
    >[]) {
      for (const [id, consent] of consents) consents.set(id, { ...consent, status: "valid" });
    }
    expect(await send()).toMatchObject(used);
  });

  it("is 400 FORMAT_ERROR after 24 hours, however long the PSU may take", async () => {
    const { bank, send } = await opened(kind);
    const first = await send();
    const consents = kind.kind === "accounts" ? bank.consents : bank.fundsConsents;
    const createAt = (at: Date) => {
      for (const [id, one] of consents) consents.set(id, { ...one, createdAt: at } as never);
    };
    const hours = (count: number) => later(count * 60);
    createAt(hours(23.9));
    expect(await send({ at: hours(23.9) })).toMatchObject({ status: 201, text: first.text });
    createAt(hours(24));
    expect(await send({ at: hours(24) })).toMatchObject(used);
  });
});

it("S9: a one-off consent of 23:59 is answered again after midnight, when its day is over", async () => {
  const { send } = await opened(accounts);
  const midnight = new Date("2026-11-20T22:00:00Z");
  const oneOff = { recurringIndicator: false, frequencyPerDay: 1, validUntil: "2026-11-20" };
  const before = { changed: oneOff, at: new Date(midnight.getTime() - 60_000) };
  const first = await send(before);
  expect(first).toMatchObject({ status: 201 });
  expect(await send({ ...before, at: midnight })).toEqual(first);
  const late = await send({
    ...before,
    at: midnight,
    headers: { "x-request-id": crypto.randomUUID() },
  });
  expect(late).toMatchObject({ status: 400, text: expect.stringContaining("validUntil") });
});

it("S9: a captured request for a consent, sent again as it was, makes nothing and is too old after five minutes", async () => {
  const { bank, send } = await opened(accounts);
  const captured = { headers: { date: now.toUTCString() } };
  const first = await send(captured);
  expect(await send({ ...captured, at: later(4) })).toEqual(first);
  expect(await send({ ...captured, at: later(6) })).toMatchObject({
    status: 400,
    text: expect.stringContaining("TIMESTAMP_INVALID"),
  });
  expect(bank.consents.size).toBe(1);
});

it("a request for a consent that was refused has not used its X-Request-ID", async () => {
  const { send } = await opened(accounts);
  const wrong = await send({ headers: { "psu-ip-address": "nowhere" } });
  expect(wrong).toMatchObject({ status: 400, text: expect.stringContaining("PSU-IP-Address") });
  expect(await send()).toMatchObject({ status: 201 });
});
