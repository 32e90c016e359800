import { expect, it } from "vitest";
import type { TppId } from "../identifiers";
import { initiatePayment } from "../payment/initiate-payment";
import { receivedFundsConsent } from "../testing/funds";
import { type InMemoryBank, inMemoryBank } from "../testing/in-memory-bank";
import { asked } from "../testing/payments";
import { newRequestId, receivedConsent, tpp } from "../testing/samples";

const OPEN_MAX = 5_000;

/** Copies of the one authorisation there is, until there are so many. */
function haveOpen(bank: InMemoryBank, count: number): void {
  const [one] = bank.authorisations.values();
  if (one === undefined) throw new Error("nothing has started");
  for (let nth = bank.authorisations.size; nth < count; nth += 1) {
    bank.authorisations.set(String(nth), { ...one, requestId: newRequestId() });
  }
}

it("X17: with 5,000 authorisations of a TPP open the next is 429 ACCESS_EXCEEDED, whatever it is for, and says when to try again", async () => {
  const { bank, ports } = inMemoryBank();
  await receivedConsent(ports);
  haveOpen(bank, OPEN_MAX - 1);
  const payment = asked();
  const first = await initiatePayment(ports, payment);
  expect(first.status).toBe(201);
  const tooMany = {
    status: 429,
    faults: [{ code: "ACCESS_EXCEEDED" }],
    headers: { "retry-after": "60" },
  };
  await expect(receivedConsent(ports)).rejects.toMatchObject(tooMany);
  await expect(receivedFundsConsent({ ports })).rejects.toMatchObject(tooMany);
  await expect(initiatePayment(ports, asked())).rejects.toMatchObject(tooMany);
  expect(bank.authorisations.size).toBe(OPEN_MAX);
  expect(await initiatePayment(ports, payment)).toEqual(first);
  const other = { ...tpp, id: "PSDDE-BAFIN-1" as TppId };
  expect((await initiatePayment(ports, asked({ tpp: other }))).status).toBe(201);
});
