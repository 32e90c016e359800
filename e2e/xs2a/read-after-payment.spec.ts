import { setTimeout as sleep } from "node:timers/promises";
import { granted } from "@/clients/typescript/src";
import { bankDay } from "../harness/consent-request";
import { ANA_CURRENT, instant } from "../harness/payment-request";
import { expect, test } from "../harness/test";

test("a list that was read before has the payment as soon as it is booked", async ({
  tpp,
  authorise,
  psuByForms: psu,
}) => {
  const grant = await authorise(tpp, { userId: "ana" });
  const { accounts } = granted(await tpp.bank.accounts(grant));
  const account = accounts.find(({ iban }) => iban === ANA_CURRENT);
  if (account === undefined) throw new Error("her current account is not there");
  const query = { bookingStatus: "booked", dateFrom: bankDay(-89) } as const;
  const read = async () => {
    const page = await tpp.bank.transactions(grant, account.resourceId, query);
    const { booked = [] } = granted(page).transactions;
    return booked.map(({ remittanceInformationUnstructured: remittance }) => remittance);
  };
  const before = await read();
  expect(before.length).toBeGreaterThan(20);
  for (let times = 0; times < 6; times += 1) {
    // Others pay from this account meanwhile: what was there is there, further down maybe.
    expect(await read()).toEqual(expect.arrayContaining(before.slice(0, 10)));
  }

  const remittance = `Seen at once ${crypto.randomUUID().slice(0, 8)}`;
  const asked = await tpp.askToPay(instant({ remittanceInformationUnstructured: remittance }));
  await psu.open(asked.request.url);
  await psu.agreeAtOnce("ana", tpp.name);
  await tpp.collect(asked);
  let status = "";
  for (let tries = 0; tries < 600 && status !== "ACCC"; tries += 1) {
    status = granted(await tpp.bank.paymentStatus(asked)).transactionStatus;
    await sleep(100);
  }
  expect(status).toBe("ACCC");
  for (let times = 0; times < 6; times += 1) expect(await read()).toContain(remittance);
});
