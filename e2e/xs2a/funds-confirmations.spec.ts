import { type FundsQuestion, granted } from "@/clients/typescript/src";
import { authoriseFunds, FUNDS_CONFIRMATIONS, fundsQuestion } from "../harness/funds";
import { ANA_CURRENT, ANA_TRAVEL, MIHAI_CURRENT } from "../harness/payment-request";
import { expectRefusal } from "../harness/refusals";
import { expect, test } from "../harness/test";

const ELENA_BLOCKED = "RO92DRWB0001000000000202";
const asking = (amount: string, currency = "RON") =>
  fundsQuestion({ instructedAmount: { currency, amount } });

test("POST /v1/funds-confirmations answers 200 and exactly yes or no", async ({
  tpp,
  psuByForms: psu,
}) => {
  const grant = await authoriseFunds({ tpp, psu });
  const yes = await tpp.bank.confirmFunds(grant, asking("1.00"));
  expect({ status: yes.status, body: yes.body }).toEqual({
    status: 200,
    body: { fundsAvailable: true },
  });
  expect(yes.headers["content-type"]).toMatch(/^application\/json/);
  const no = granted(await tpp.bank.confirmFunds(grant, asking("99999999999999.99")));
  expect(no).toEqual({ fundsAvailable: false });
});

test("the amount in another currency is converted at the bank's rate, and nothing is reserved by asking", async ({
  tpp,
  psuByForms: psu,
}) => {
  const account = { iban: ANA_TRAVEL, currency: "EUR" };
  const grant = await authoriseFunds({ tpp, psu }, { account });
  const available = async (amount: string, currency: string) => {
    const question = { account, instructedAmount: { currency, amount } };
    return granted(await tpp.bank.confirmFunds(grant, question)).fundsAvailable;
  };
  for (let times = 0; times < 3; times += 1) {
    expect(await available("1.00", "EUR")).toBe(true);
    expect(await available("1.00", "HUF")).toBe(true);
    expect(await available("99999999999999.99", "HUF")).toBe(false);
  }
  const unknown = fundsQuestion({ account, instructedAmount: { currency: "JPY", amount: "1" } });
  const refusal = await tpp.bank.confirmFunds(grant, unknown);
  expectRefusal(refusal, 400, "FORMAT_ERROR", "instructedAmount.currency");
});

test("a blocked account: no", async ({ tpp, psuByForms: psu }) => {
  const account = { iban: ELENA_BLOCKED };
  const grant = await authoriseFunds({ tpp, psu, userId: "elena" }, { account });
  const question = fundsQuestion({ account });
  expect(granted(await tpp.bank.confirmFunds(grant, question))).toEqual({ fundsAvailable: false });
});

test("another account or card than the consent's: NO_PIIS_ACTIVATION, CARD_INVALID", async ({
  tpp,
  psuByForms: psu,
}) => {
  const cardNumber = "5254121234563241";
  const grant = await authoriseFunds({ tpp, psu }, { cardNumber });
  const ask = (changes: Partial<FundsQuestion>) =>
    tpp.bank.confirmFunds(grant, fundsQuestion(changes));
  for (const account of [
    { iban: MIHAI_CURRENT },
    { iban: ANA_TRAVEL },
    { iban: ANA_CURRENT, currency: "EUR" },
  ]) {
    expectRefusal(await ask({ account }), 400, "NO_PIIS_ACTIVATION", "account");
  }
  expectRefusal(await ask({ cardNumber: "1" }), 400, "CARD_INVALID", "cardNumber");
  const same = { account: { iban: ANA_CURRENT, currency: "RON" }, cardNumber, payee: "Shop" };
  expect(granted(await ask(same))).toEqual({ fundsAvailable: true });
});

const malformed: readonly (readonly [why: string, body: unknown, path?: string])[] = [
  ["no account", { instructedAmount: { currency: "RON", amount: "1" } }, "account"],
  ["no amount", { account: { iban: ANA_CURRENT } }, "instructedAmount"],
  ...["0", "-1", "1e3", "1.001", "1,00", "NaN"].map(
    (amount) => [`the amount ${amount}`, asking(amount), "instructedAmount.amount"] as const,
  ),
  ["an unknown field", { ...asking("1"), psuMessage: "x" }, "psuMessage"],
];

test("B10: what is badly formed is 400 FORMAT_ERROR, and costs none of the consent's checks", async ({
  tpp,
  psuByForms: psu,
}) => {
  const grant = await authoriseFunds({ tpp, psu });
  for (const [why, body, path] of malformed) {
    const reply = await tpp.bank.confirmFunds(grant, body as FundsQuestion);
    await test.step(why, () => expectRefusal(reply, 400, "FORMAT_ERROR", path));
  }
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => tpp.bank.confirmFunds(grant, asking("1"))),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
});

test("B13: after 20 checks: 429 ACCESS_EXCEEDED with Retry-After", async ({
  tpp,
  psuByForms: psu,
}) => {
  const [grant, other] = [await authoriseFunds({ tpp, psu }), await authoriseFunds({ tpp, psu })];
  const replies = await Promise.all(
    Array.from({ length: 60 }, () => tpp.bank.confirmFunds(grant, asking("1"))),
  );
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(20);
  for (const reply of replies.filter(({ ok }) => !ok)) {
    expectRefusal(reply, 429, "ACCESS_EXCEEDED");
    expect(Number(reply.headers["retry-after"])).toBeGreaterThanOrEqual(1);
    expect(Number(reply.headers["retry-after"])).toBeLessThanOrEqual(60);
  }
  // Another consent has checks of its own.
  expect((await tpp.bank.confirmFunds(other, asking("1"))).status).toBe(200);
});

test("B13: a search for the balance does not come near it", async ({ tpp, psuByForms: psu }) => {
  const consents = [await authoriseFunds({ tpp, psu }), await authoriseFunds({ tpp, psu })];
  let [low, high, refused] = [0.01, 1e8, 0];
  for (let nth = 0; nth < 38; nth += 1) {
    const amount = (low + high) / (nth % 2 === 0 ? 2 : 2.2);
    if (amount <= low) continue;
    const grant = consents[nth % 2] as (typeof consents)[number];
    const reply = await tpp.bank.confirmFunds(grant, asking(amount.toFixed(2)));
    if (!reply.ok) {
      expectRefusal(reply, 429, "ACCESS_EXCEEDED");
      expect(Number(reply.headers["retry-after"])).toBeGreaterThan(60);
      refused += 1;
    } else if (reply.body.fundsAvailable) low = Math.max(low, amount);
    else high = Math.min(high, amount);
  }
  expect(refused).toBeGreaterThan(0);
  expect(high / low).toBeGreaterThanOrEqual(1.49);
});

test("GET, PUT and DELETE of funds confirmations: 405 SERVICE_INVALID", async ({ tpp }) => {
  for (const method of ["GET", "PUT", "PATCH", "DELETE"]) {
    const reply = await tpp.bank.call(method, FUNDS_CONFIRMATIONS);
    expectRefusal(reply, 405, "SERVICE_INVALID");
    expect(reply.headers["allow"]).toBe("POST");
  }
});
