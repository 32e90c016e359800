import { describe, expect, it } from "vitest";
import { type Http, type HttpReply, replyOf } from "@/clients/typescript/src";
import { PageError } from "@/tools/psu-by-forms";
import { emptyJournal } from "./journal";
import { isUnexpectedPage, newOrder, notingFaults, type Run, saysNotNow } from "./tpp";

const message = { category: "ERROR", code: "SERVICE_UNAVAILABLE", text: "try again" };
const reply = (change: object = {}, body: unknown = { tppMessages: [message] }) => ({
  status: 503,
  headers: { "retry-after": "2" },
  body: Buffer.from(typeof body === "string" ? body : JSON.stringify(body)),
  ...change,
});

it("a bank without its database says 503, SERVICE_UNAVAILABLE and when to try again", () => {
  expect(saysNotNow(replyOf(reply()))).toBe(true);
});

it.each([
  ["another status", reply({ status: 500 })],
  ["no word of when", reply({ headers: {} })],
  ["another code", reply({}, { tppMessages: [{ ...message, code: "INTERNAL_SERVER_ERROR" }] })],
  ["two reasons", reply({}, { tppMessages: [message, message] })],
  ["no reason", reply({}, { tppMessages: [] })],
  ["a page", reply({}, "<p>try again</p>")],
])("nothing else is expected: %s", (_what, other) => {
  expect(saysNotNow(replyOf(other))).toBe(false);
});

describe("of the authorisation server", () => {
  const notNow = reply({}, { error: "temporarily_unavailable" });

  async function noted(answer: HttpReply, mayFail: Run["mayFail"]) {
    const journal = emptyJournal();
    const connection: Http = { send: async () => answer, close: async () => undefined };
    const noting = notingFaults({ journal, mayFail }, connection);
    const sent = { method: "POST", url: "https://bank/token", headers: {} };
    expect(await noting.send(sent)).toBe(answer);
    return journal.unexpected;
  }

  it("that it cannot answer without the database is expected, and any refusal too", async () => {
    expect(await noted(notNow, "a service")).toEqual([]);
    expect(await noted(reply({ status: 400 }), "an answer")).toEqual([]);
  });

  it.each([
    ["its own fault", reply({ status: 500 }), "a service"],
    ["no word of when", { ...notNow, headers: {} }, "a service"],
    ["another reason", reply(), "a service"],
    ["a database that is there", notNow, "an answer"],
    ["a run in which nothing may fail", notNow, "nothing"],
  ] as const)("nothing else is: %s", async (_what, answer, mayFail) => {
    expect(await noted(answer, mayFail)).toEqual([
      expect.stringMatching(/^POST \/token: HTTP 5\d\d /),
    ]);
  });
});

describe("of a PSU's page", () => {
  const page = (status: number, headers: Record<string, string> = {}) =>
    new PageError({ status, headers: new Headers(headers) }, "/psu");

  it.each([
    ["503 that says when, without the database", page(503, { "retry-after": "2" })],
    ["a refusal", page(404)],
    ["no answer", new TypeError("fetch failed")],
  ])("%s is expected", (_what, error) => {
    expect(isUnexpectedPage(error, "a service")).toBe(false);
  });

  it("a fault is not, nor 503 without a word of when or with a database that is there", () => {
    expect(isUnexpectedPage(page(500), "a service")).toBe(true);
    expect(isUnexpectedPage(page(503), "a service")).toBe(true);
    expect(isUnexpectedPage(page(503, { "retry-after": "2" }), "an answer")).toBe(true);
  });
});

it("both bodies of an order name its request and its account, and differ in the amount alone", () => {
  const payer = { userId: "p", password: "p", accounts: { EUR: "RO01", RON: "RO02" } };
  const other = { userId: "o", password: "o", accounts: { EUR: "RO03", RON: "RO04" } };
  const { requestId, currency, amounts, bodies } = newOrder(payer, [other]);
  const [one, second] = bodies;
  expect(second).toEqual({ ...one, instructedAmount: second.instructedAmount });
  expect(one.remittanceInformationUnstructured).toBe(requestId);
  expect(one.debtorAccount).toEqual({ iban: payer.accounts[currency as "EUR" | "RON"] });
  const minor = bodies.map(({ instructedAmount: { amount } }) => BigInt(amount.replace(".", "")));
  expect(minor).toEqual(amounts);
  expect(minor[1]).not.toBe(minor[0]);
});
