import { type PaymentRequest, PISP } from "@/clients/typescript/src";
import { sepa } from "../harness/payment-request";
import { expectRefusal } from "../harness/refusals";
import { without } from "../harness/requests";
import { expect, test } from "../harness/test";

// What each field may be is held where it is read: lib/xs2a/wire/payment-request.test.ts.

test("all faults of a payment are in one answer, one entry each", async ({ tpp }) => {
  const faulty = { creditorName: "", creditorAgent: "X", frequency: "Daily", instructedAmount: {} };
  const { product, payment } = sepa(faulty as object as Partial<PaymentRequest>);
  const reply = await tpp.bank.createPayment(product, payment, tpp);
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

test("O12: neither redirect URI of a payment can lead out of the TPP's domains or into a script", async ({
  tpp,
}) => {
  const { product, payment } = sepa();
  const { redirectUri, nokRedirectUri } = tpp;
  for (const uri of ["javascript:alert(1)", "//evil.example/cb", "https://user@evil.example/"]) {
    const ok = { redirectUri: uri, nokRedirectUri };
    const first = await tpp.bank.createPayment(product, payment, ok);
    expectRefusal(first, 400, "FORMAT_ERROR", "TPP-Redirect-URI");
    const nok = { redirectUri, nokRedirectUri: uri };
    const second = await tpp.bank.createPayment(product, payment, nok);
    expectRefusal(second, 400, "FORMAT_ERROR", "TPP-Nok-Redirect-URI");
  }
});
