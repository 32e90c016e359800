import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Iban } from "@/lib/domain/iban";
import type { Currency } from "@/lib/domain/money";
import { linkHash, paymentLink } from "@/lib/domain/payment/link";
import type { PaymentOrder } from "@/lib/domain/payment/payment";
import { money } from "@/lib/domain/payment/product-terms";
import { sha256 } from "@/lib/domain/sha256";
import { multiEur } from "@/lib/domain/testing/samples";
import { savings } from "../testing/desk";
import { order } from "../testing/resources";
import { atPaymentWithPasskey } from "../testing/with-passkey";

const text = fc.string({ minLength: 1, maxLength: 30 });
const iban = text.map((any) => any as Iban);

/** One term of a payment, made another. */
const changes: fc.Arbitrary<Partial<PaymentOrder>> = fc.oneof(
  fc.bigInt({ min: 1n, max: 10n ** 12n }).map((minor) => ({ amount: money("RON", minor) })),
  fc
    .constantFrom("EUR", "USD")
    .map((currency) => ({ amount: { ...order.amount, currency: currency as Currency } })),
  iban.map((other) => ({ creditor: { ...order.creditor, iban: other } })),
  text.map((name) => ({ creditor: { ...order.creditor, name } })),
  text.map((remittance) => ({ remittance })),
  text.map((endToEndId) => ({ endToEndId })),
  fc.constantFrom(savings.iban, multiEur.iban).map((other) => ({ debtor: { iban: other } })),
  fc.constantFrom("SHAR" as const, "DEBT" as const).map((chargeBearer) => ({ chargeBearer })),
  // Another product has another fee.
  fc.constant({ product: "cross-border-credit-transfers" as const }),
);

const differs = (changed: Partial<PaymentOrder>) =>
  Object.entries(changed).some(
    ([name, value]) => spelt(value) !== spelt(order[name as keyof PaymentOrder]),
  );
const spelt = (value: unknown) =>
  JSON.stringify(value, (_name, one) => (typeof one === "bigint" ? String(one) : one));

describe("P7: a passkey signs what is paid (RTS art. 5(1))", () => {
  it("the challenge is the hash of what is paid, and of a nonce", async () => {
    const { ours, device, confirm } = await atPaymentWithPasskey();
    const challenge = await confirm.challenge();
    const { id, passkeyChallenge } = ours.authorisation();
    await confirm.send(device.use(challenge));
    const paid = ours.payment();
    if (paid.debit === undefined || passkeyChallenge === undefined) throw new Error("not paid");
    const linked = await linkHash(paymentLink(paid, paid.debit));
    const signed = ["passkey", id, paid.id, passkeyChallenge.nonce, linked].join("\n");
    expect(challenge).toBe(await sha256(signed));
  });

  it("a signature for one payment confirms no other: whichever term is another", async () => {
    await fc.assert(
      fc.asyncProperty(changes.filter(differs), async (changed) => {
        const { ours, device, confirm } = await atPaymentWithPasskey();
        const challenge = await confirm.challenge();
        const altered = { ...ours.payment(), order: { ...order, ...changed } };
        ours.bank.payments.set(altered.id, altered);
        await confirm.send(device.use(challenge));
        expect(ours.authorisation().scaStatus).not.toBe("finalised");
        expect(ours.payment().status).not.toBe("ACCP");
      }),
      { numRuns: 100 },
    );
  });

  it("an unchanged one is confirmed, whatever it says", async () => {
    await fc.assert(
      fc.asyncProperty(text, fc.bigInt({ min: 1n, max: 10n ** 9n }), async (remittance, minor) => {
        const asked = { order: { remittance, amount: money("RON", minor) } };
        const { ours, device, confirm } = await atPaymentWithPasskey(asked);
        await confirm.by(device);
        expect(ours.payment().status).toBe("ACCP");
      }),
      { numRuns: 25 },
    );
  });
});
