import type { PaymentRequest } from "@/cli/tpp/wire";
import { PISP } from "@/cli/tpp/xs2a";
import {
  ANA_TRAVEL,
  crossBorder,
  PAYEE,
  type PaymentOrder,
  paymentRequest,
  sepa,
} from "../harness/payment-request";
import { expectRefusal } from "../harness/refusals";
import { without } from "../harness/requests";
import { expect, test } from "../harness/test";
import type { TestTpp } from "../harness/test-tpp";

const ABROAD = "EUR, RON, USD, GBP, CHF, PLN, NOK, SEK, HUF, DKK, CAD".split(", ");
/** The specification's table. */
const table: Readonly<Record<string, readonly string[]>> = {
  "sepa-credit-transfers": ["EUR"],
  "instant-sepa-credit-transfers": ["RON"],
  "target-2-payments": ["EUR"],
  "cross-border-credit-transfers": ABROAD,
};
const create = (tpp: TestTpp, { product, payment }: PaymentOrder) =>
  tpp.bank.createPayment(product, payment, tpp);

for (const [product, currencies] of Object.entries(table)) {
  test(`B12: ${product} is in ${currencies.join(", ")} and nothing else`, async ({ tpp }) => {
    const from = product.startsWith("cross") ? crossBorder() : sepa();
    for (const currency of [...ABROAD, "JPY", "XXX", "eur"]) {
      const payment = { ...from.payment, instructedAmount: { currency, amount: "1" } };
      const reply = await create(tpp, { product, payment });
      if (currencies.includes(currency)) expect([currency, reply.status]).toEqual([currency, 201]);
      else expectRefusal(reply, 400, "FORMAT_ERROR", "instructedAmount.currency");
    }
  });
}

const amounts = ["1e3", "-1", "0", "0.00", "1.001", "NaN", "٣", "1,00", "9".repeat(20), 12.5, ""];
for (const amount of amounts) {
  test(`B10: the amount ${JSON.stringify(amount)} is 400 FORMAT_ERROR`, async ({ tpp }) => {
    const instructedAmount = { currency: "EUR", amount: amount as string };
    const reply = await create(tpp, sepa({ instructedAmount }));
    expectRefusal(reply, 400, "FORMAT_ERROR", "instructedAmount.amount");
  });
}

const { creditorName: _, ...nameless } = paymentRequest();
const { debtorAccount: __, ...debtorless } = paymentRequest();
const { creditorAgent: ___, ...agentless } = crossBorder().payment;
const { creditorAddress: ____, ...placeless } = crossBorder().payment;
const abroad = (payment: object): PaymentOrder => ({
  product: "cross-border-credit-transfers",
  payment: payment as PaymentRequest,
});
const home = (changes: object): PaymentOrder => sepa(changes as Partial<PaymentRequest>);
type Refused = readonly [why: string, order: PaymentOrder, path: string];
const refused: readonly Refused[] = [
  [
    "no debtorAccount",
    { product: "sepa-credit-transfers", payment: debtorless as PaymentRequest },
    "debtorAccount",
  ],
  [
    "no creditorName",
    { product: "target-2-payments", payment: nameless as PaymentRequest },
    "creditorName",
  ],
  ["no creditorAgent abroad", abroad(agentless), "creditorAgent"],
  ["no creditorAddress abroad", abroad(placeless), "creditorAddress"],
  [
    "no country abroad",
    abroad({ ...agentless, creditorAgent: "COBADEFF", creditorAddress: { townName: "Bonn" } }),
    "creditorAddress.country",
  ],
  [
    "endToEndIdentification abroad",
    crossBorder({ endToEndIdentification: "E2E" }),
    "endToEndIdentification",
  ],
  ["chargeBearer where nothing is shared", home({ chargeBearer: "SHAR" }), "chargeBearer"],
  [
    "B11: a creditorAgent of 11 characters",
    home({ creditorAgent: "COBADEFFXXX" }),
    "creditorAgent",
  ],
  ["B11: a creditorAgent in small letters", home({ creditorAgent: "cobadeff" }), "creditorAgent"],
  [
    "B11: blanks in an IBAN",
    home({ creditorAccount: { iban: "DE89 3704 0044 0532 0130 00" } }),
    "creditorAccount.iban",
  ],
  [
    "B11: wrong check digits",
    home({ creditorAccount: { iban: PAYEE.replace("89", "88") } }),
    "creditorAccount.iban",
  ],
  [
    "B11: the length of another country",
    home({ creditorAccount: { iban: PAYEE.slice(0, -1) } }),
    "creditorAccount.iban",
  ],
  ["a BBAN", home({ creditorAccount: { bban: "370400440532013000" } }), "creditorAccount.bban"],
  ["a PAN", home({ debtorAccount: { pan: "5409050000000000" } }), "debtorAccount.pan"],
  [
    "all sub-accounts together",
    home({ debtorAccount: { iban: ANA_TRAVEL, currency: "XXX" } }),
    "debtorAccount.currency",
  ],
  [
    "the debtor's account as the creditor's",
    home({ creditorAccount: { iban: ANA_TRAVEL.toLowerCase() } }),
    "creditorAccount",
  ],
  ["a name of 71 characters", home({ creditorName: "x".repeat(71) }), "creditorName"],
  [
    "a text with a NUL",
    home({ remittanceInformationUnstructured: "a\u0000b" }),
    "remittanceInformationUnstructured",
  ],
  ["a text with half a character", home({ creditorName: "a\ud83d" }), "creditorName"],
  ["a text that turns itself round", home({ creditorName: "a\u202eb" }), "creditorName"],
  ["an unknown field", home({ psuName: "x" }), "psuName"],
  [
    "an unknown field deep inside",
    home({ creditorAddress: { country: "DE", floor: 1 } }),
    "creditorAddress.floor",
  ],
  ["a field that banks may add", home({ ultimateCreditor: "x" }), "ultimateCreditor"],
];
for (const [why, order, path] of refused) {
  test(`a payment is 400 FORMAT_ERROR at ${path} for ${why}`, async ({ tpp }) => {
    expectRefusal(await create(tpp, order), 400, "FORMAT_ERROR", path);
  });
}

test("all faults of a payment are in one answer, one entry each", async ({ tpp }) => {
  const reply = await create(
    tpp,
    home({ creditorName: "", creditorAgent: "X", frequency: "Daily", instructedAmount: {} }),
  );
  for (const path of ["creditorName", "creditorAgent", "frequency", "instructedAmount.amount"]) {
    expectRefusal(reply, 400, "FORMAT_ERROR", path);
  }
});

test("texts of any script come back as they were sent, to the full length", async ({ tpp }) => {
  const texts = {
    creditorName: "Ștefan Ăînău €".padEnd(70, "ț"),
    endToEndIdentification: "/-?:().,'+".padEnd(35, "9"),
    remittanceInformationUnstructured: "😀".repeat(140),
  };
  const asked = await tpp.askToPay(sepa(texts));
  expect((await tpp.bank.payment(asked)).body).toMatchObject(texts);
});

test("TPP-Rejection-NoFunds-Preferred is true or false", async ({ tpp }) => {
  const { product, payment } = sepa();
  const send = (value: string) =>
    tpp.bank.createPayment(product, payment, tpp, {
      headers: { "tpp-rejection-nofunds-preferred": value },
    });
  for (const value of ["true", "false"]) expect((await send(value)).status).toBe(201);
  for (const value of ["TRUE", "yes", "1"]) {
    const reply = await send(value);
    expectRefusal(reply, 400, "FORMAT_ERROR", "TPP-Rejection-NoFunds-Preferred");
  }
});

test("PSU-IP-Address and TPP-Redirect-URI are mandatory on a payment", async ({ tpp }) => {
  const { product, payment } = sepa();
  const edit = without("psu-ip-address");
  const nowhere = await tpp.bank.createPayment(product, payment, tpp, { edit });
  expectRefusal(nowhere, 400, "FORMAT_ERROR", "PSU-IP-Address");
  const oneWay = await tpp.bank.call("POST", `${PISP}/payments/${product}`, {
    body: payment,
    headers: { "psu-ip-address": "198.51.100.7" },
  });
  expectRefusal(oneWay, 400, "FORMAT_ERROR", "TPP-Redirect-URI");
});

for (const uri of ["javascript:alert(1)", "//evil.example/cb", "https://user@evil.example/"]) {
  test(`O12: neither redirect URI of a payment can be ${uri}`, async ({ tpp }) => {
    const { product, payment } = sepa();
    const { redirectUri, nokRedirectUri } = tpp;
    const send = (redirects: { redirectUri: string; nokRedirectUri: string }) =>
      tpp.bank.createPayment(product, payment, redirects);
    const ok = await send({ redirectUri: uri, nokRedirectUri });
    expectRefusal(ok, 400, "FORMAT_ERROR", "TPP-Redirect-URI");
    const nok = await send({ redirectUri, nokRedirectUri: uri });
    expectRefusal(nok, 400, "FORMAT_ERROR", "TPP-Nok-Redirect-URI");
  });
}
