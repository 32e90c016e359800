import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { money } from "@/lib/domain/bank-profile";
import { linkedPayment } from "@/lib/domain/dynamic-linking";
import type { PaymentOrder } from "@/lib/domain/payment-order";
import { account, multiEur, RON } from "@/lib/domain/testing/samples";
import { type Currency, type Iban, sha256 } from "@/lib/domain/values";
import { inputs } from "@/lib/testing-inputs";
import { aspspProfile } from "@/lib/testing-profile";
import { leadToStepUp } from "./answers/identity-provider";
import { stepUpPath } from "./paths";
import {
  atFunds,
  atPayment,
  atPaymentWithPasskey,
  atSummary,
  atSummaryWithPasskey,
  browser,
  order,
  sampleUid,
  savings,
  type TestBank,
  WEB_URL,
} from "./testing/authorisation";
import { english } from "./texts/en";
import { romanian } from "./texts/ro";
import { openVisit } from "./visit";

const elsewhere = "RO09BCYP0000001234567890" as Iban;

describe("P7: what the PSU sees is what the code is for (RTS art. 5)", () => {
  it("page and text message name the same amount and payee", async () => {
    const { ours, view } = await atPayment();
    const { amount, creditor } = view.payment.order;
    const said = ours.bank.texts.at(-1)?.text;
    expect(said).toContain('pay 1234.50 RON to "Shop SRL", RO49AAAA1B31007593840000');
    expect({ amount, name: creditor.name, iban: creditor.iban }).toEqual({
      amount: money("RON", 123_450n),
      name: "Shop SRL",
      iban: "RO49AAAA1B31007593840000",
    });
  });

  it("what a form says of amount, payee or account changes nothing", async () => {
    const { ours, psu } = await atPayment();
    const edited = [
      ["amount", "0.01"],
      ["creditorIban", elsewhere],
      ["account", savings.id],
      ["code", psu.lastCode()],
    ] as const;
    await psu.send("confirm", edited);
    expect(ours.payment()).toMatchObject({ status: "ACCP", order });
    expect(ours.payment().debit).toMatchObject({ accountId: "current", amount: order.amount });
  });

  it("a second tab shows the same, and its code is the last one sent", async () => {
    const { ours, psu, view } = await atPayment();
    const second = browser(ours);
    for (const [name, value] of psu.jar.cookies) second.jar.cookies.set(name, value);
    expect(await second.look()).toMatchObject({ page: "payment", payment: view.payment });
    await second.send("code");
    await psu.enterCode();
    expect(await psu.look()).toMatchObject({ page: "continue" });
  });

  const changes: Readonly<Record<string, Partial<PaymentOrder>>> = {
    amount: { amount: money("RON", 123_451n) },
    currency: { amount: money("EUR", 123_450n) },
    "payee's IBAN": { creditor: { ...order.creditor, iban: elsewhere } },
    "payee's name": { creditor: { ...order.creditor, name: "Shop SRI" } },
    "debtor account": { debtor: { iban: savings.iban } },
    "debtor currency": { debtor: { ...order.debtor, currency: RON } },
    remittance: { remittance: "another" },
  };
  it.each(Object.entries(changes))(
    "another %s between page and code: the code does not fit",
    async (_what, changed) => {
      const { ours, psu } = await atPayment();
      ours.bank.payments.set(ours.payment().id, {
        ...ours.payment(),
        order: { ...order, ...changed },
      });
      await psu.enterCode();
      expect(await psu.look()).toMatchObject({ outcome: { outcome: "changed" } });
      expect(ours.payment().status).toBe("RCVD");
    },
  );

  it("the same digits for another payment do not fit either", async () => {
    const { ours: one, psu } = await atPayment();
    const { ours: other, psu: otherPsu } = await atPayment();
    expect(psu.lastCode()).toBe(otherPsu.lastCode());
    const { challenge } = one.authorisation();
    if (challenge === undefined) throw new Error("no code was sent");
    other.change({ challenge });
    await otherPsu.enterCode();
    expect(await otherPsu.look()).toMatchObject({ outcome: { outcome: "wrong-code" } });
  });

  it("another fee of the core bank: the PSU is told at no cost, shown it, and sent a code for it", async () => {
    const { ours, psu } = await atPayment();
    const fee = chargeMore(ours);
    const former = psu.lastCode();
    await psu.enterCode();
    const view = await psu.look();
    expect(view).toMatchObject({ outcome: { outcome: "changed" }, payment: { debit: { fee } } });
    expect(ours.authorisation()).toMatchObject({ scaStatus: "started", failedAttempts: 0 });
    expect([...ours.bank.psuFailures.values()]).toMatchObject([{ failures: 0 }]);
    expect(psu.lastCode()).not.toBe(former);
    await psu.enterCode();
    expect(await psu.look()).toMatchObject({ page: "continue" });
    expect(ours.payment().debit?.fee).toEqual(fee);
  });

  it("another fee where no code can be sent any more: none is waited for, and the PSU is told", async () => {
    const { ours, psu } = await atPayment();
    ours.change({ codesSent: ours.services.profile.sca.codesSentMax });
    chargeMore(ours);
    await psu.enterCode();
    const view = await psu.look();
    expect(view).toMatchObject({ outcome: { outcome: "changed" }, code: { sentAt: undefined } });
  });

  it("another account of a funds consent: the code does not fit", async () => {
    const { ours, psu } = await atFunds();
    const changed = { ...ours.consent(), account: { iban: savings.iban } };
    ours.bank.fundsConsents.set(changed.id, changed);
    await psu.enterCode();
    expect(await psu.look()).toMatchObject({ outcome: { outcome: "changed" } });
    expect(ours.consent().status).toBe("received");
  });

  it("the sub-account in the payment's currency is debited where the TPP names none", async () => {
    const iban = multiEur.iban;
    const { view } = await atPayment({
      order: { amount: money("EUR", 100n), debtor: { iban }, product: "sepa-credit-transfers" },
    });
    expect(view.payment.account).toEqual(account("multi-eur", iban, multiEur.currency));
  });
});

/** The core bank has another fee from now on. */
function chargeMore({ services: { coreBank } }: Pick<TestBank, "services">) {
  const { quotePayment } = coreBank;
  const fee = money("RON", 77n);
  vi.spyOn(coreBank, "quotePayment").mockImplementation(async (asked) => {
    const quote = await quotePayment(asked);
    return quote && { ...quote, fee, debit: { ...quote.debit, fee } };
  });
  return fee;
}

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
    const linked = await linkedPayment(paid, paid.debit);
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
      { numRuns: inputs(100) },
    );
  });

  it("another fee of the core bank: the PSU is told at no cost, and asked again for what is paid then", async () => {
    const { ours, psu, device, confirm } = await atPaymentWithPasskey();
    const challenge = await confirm.challenge();
    const fee = chargeMore(ours);
    await confirm.send(device.use(challenge));
    expect(await psu.look()).toMatchObject({ outcome: { outcome: "changed" } });
    expect(ours.authorisation()).toMatchObject({ scaStatus: "started", failedAttempts: 0 });
    expect(ours.authorisation().passkeyChallenge).toBeUndefined();
    await confirm.by(device);
    expect(ours.payment()).toMatchObject({ status: "ACCP", debit: { fee } });
  });

  it("an unchanged one is confirmed, whatever it says", async () => {
    await fc.assert(
      fc.asyncProperty(text, fc.bigInt({ min: 1n, max: 10n ** 9n }), async (remittance, minor) => {
        const asked = { order: { remittance, amount: money("RON", minor) } };
        const { ours, device, confirm } = await atPaymentWithPasskey(asked);
        await confirm.by(device);
        expect(ours.payment().status).toBe("ACCP");
      }),
      { numRuns: inputs(25) },
    );
  });
});

describe("P7: nothing is confirmed but what the page has shown (RTS art. 5(1))", () => {
  const changed = { outcome: { outcome: "changed" } };
  const failures = { scaStatus: "started", failedAttempts: 0 };

  it("another fee since the page was made: no passkey is asked, and the page shows the fee", async () => {
    const { ours, psu, device, confirm } = await atPaymentWithPasskey();
    const fee = chargeMore(ours);
    await expect(confirm.challenge()).rejects.toThrow(`led to /authorise/${sampleUid}`);
    expect(ours.authorisation()).toMatchObject(failures);
    expect(await psu.look()).toMatchObject({ ...changed, payment: { debit: { fee } } });
    await confirm.by(device);
    expect(ours.payment()).toMatchObject({ status: "ACCP", debit: { fee } });
  });

  it("nor is the customer led to the provider with another page's link", async () => {
    const { ours, psu } = await atPaymentWithPasskey();
    const sca = { ...aspspProfile.sca, means: ["oidc"] as const };
    const services = { ...ours.services, profile: { ...aspspProfile, sca } };
    const view = await psu.look();
    chargeMore(ours);
    const visit = await openVisit(services, sampleUid, new Headers({ cookie: psu.jar.header() }));
    if (visit === undefined || !("shown" in view)) throw new Error("no page");
    const provided = services as unknown as Parameters<typeof leadToStepUp>[0];
    const request = new Request(`${WEB_URL}${stepUpPath(sampleUid, view.shown)}`);
    psu.jar.keep(await leadToStepUp(provided, visit, request));
    expect(await psu.look()).toMatchObject(changed);
  });

  it("a page of the release before, which does not say what it shows, confirms during an upgrade", async () => {
    const { ours, psu } = await atPayment();
    await psu.send("confirm", [["code", psu.lastCode()]], { ofReleaseBefore: true });
    expect(ours.payment()).toMatchObject({ status: "ACCP", order });
  });

  /** A second tab of the same browser, in which both accounts are chosen. */
  async function chooseBothElsewhere({ ours, psu }: Awaited<ReturnType<typeof atSummary>>) {
    const other = browser(ours);
    for (const [name, value] of psu.jar.cookies) other.jar.cookies.set(name, value);
    await other.look("accounts");
    await other.choose("current", "second");
    return other;
  }
  const bothShown = {
    ...changed,
    page: "summary",
    summary: { accounts: [{ account: { id: "current" } }, { account: { id: "second" } }] },
  };
  const shared = ({ ours }: Awaited<ReturnType<typeof atSummary>>) =>
    ours.bank.consents.get(ours.consent.id)?.grantedAccounts.map(({ accountId }) => accountId);

  it("other accounts chosen in a second tab: their code, typed in the first, shares nothing before they are shown", async () => {
    const at = await atSummary();
    await chooseBothElsewhere(at);
    const texts = at.ours.bank.texts.length;
    await at.psu.enterCode();
    expect(await at.psu.look()).toMatchObject(bothShown);
    expect(at.ours.authorisation()).toMatchObject(failures);
    // What was sent for them stays good.
    expect(at.ours.bank.texts).toHaveLength(texts);
    await at.psu.enterCode();
    expect(shared(at)).toEqual(["current", "second"]);
  });

  it("nor does a passkey in the first tab", async () => {
    const at = await atSummaryWithPasskey();
    await chooseBothElsewhere(at);
    await expect(at.confirm.challenge()).rejects.toThrow(`led to /authorise/${sampleUid}`);
    expect(await at.psu.look()).toMatchObject(bothShown);
    await at.confirm.by(at.device);
    expect(shared(at)).toEqual(["current", "second"]);
  });

  it("a signature for the first tab's accounts is no failure while the second tab's are asked for", async () => {
    const at = await atSummaryWithPasskey();
    const challenge = await at.confirm.challenge();
    const other = await chooseBothElsewhere(at);
    await other.send("passkey-challenge");
    await at.confirm.send(at.device.use(challenge));
    expect(await at.psu.look()).toMatchObject(bothShown);
    expect(at.ours.authorisation()).toMatchObject(failures);
  });
});

describe("what the bank's app shows", () => {
  it("I12: a TPP cannot write the reference, or a line, into what the app shows", () => {
    const purpose = { kind: "AIS", accounts: 1, until: undefined } as const;
    const tppName = 'Bank". Reference AAAA.\nConfirm to pay 1.00 RON to "Shop';
    for (const { codeMessage } of [english, romanian]) {
      const said = codeMessage({ reference: "7KQ4", tppName, purpose });
      expect(said).not.toMatch(/\n/);
      expect(said).toMatch(/(Reference|Referința) 7KQ4\.$/);
      // The name is cut, and stays within its quotation marks.
      expect(said.match(/["„”]/g)?.length ?? 0).toBe(2);
    }
  });
});
