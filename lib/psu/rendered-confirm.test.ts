import { describe, expect, it } from "vitest";
import type { Iban } from "@/lib/domain/iban";
import type { IsoDate } from "@/lib/domain/iso-date";
import type { Bic } from "@/lib/domain/payment/payment";
import { money } from "@/lib/domain/payment/product-terms";
import { endPages } from "./end-pages";
import { atFunds, atPayment } from "./testing/at-payment";
import { browser } from "./testing/browser";
import { fundsDesk, paymentDesk } from "./testing/desk";
import { buttons, html, labels, term, textOf, titleOf } from "./testing/rendered";
import { order } from "./testing/resources";
import type { View } from "./view";

const creditor = {
  name: "Boulangerie <b>Dupont</b>",
  iban: "FR1420041010050500013M02606" as Iban,
  agent: "PSSTFRPP" as Bic,
  address: { streetName: "Rue Haute", buildingNumber: "1", townName: "Lyon", country: "FR" },
};

describe("what the page of a payment says", () => {
  it("amount and payee in heading and title; every term once; nothing that is absent", async () => {
    const page = html((await atPayment()).view);
    expect(titleOf(page)).toBe("Pay 1,234.50 RON to “Shop SRL” - Drawbridge Bank");
    expect(textOf(page)).toContain("“Example TPP” asks for a payment");
    expect(textOf(page)).toContain("Step 2 of 2");
    expect([...page.matchAll(/<dt[^>]*>(.*?)<\/dt>/g)].map(([, label]) => label)).toEqual([
      "Who",
      "Amount",
      "To",
      "From",
      "Fee",
      "When",
    ]);
    expect(term(page, "Amount")).toBe("1,234.50 RON");
    expect(term(page, "To")).toBe("“Shop SRL”|RO49AAAA1B31007593840000");
    expect(term(page, "From")).toBe("Account current RO21DRWB0000000000000001 RON");
    expect(term(page, "Fee")).toBe("None");
    expect(term(page, "When")).toBe("At once, as an instant payment");
    expect(textOf(page)).toContain("A payment cannot be cancelled once it is confirmed.");
  });

  it("a payment abroad: BIC, address, texts, debit and fee in both currencies, charges", async () => {
    const asked = {
      product: "cross-border-credit-transfers",
      amount: money("USD", 10_000_000_00n),
      creditor,
      chargeBearer: "SHAR",
      remittance: "Invoice 7 <script>",
      endToEndId: "E2E-7",
    } as const;
    const page = html((await atPayment({ order: asked })).view);
    expect(term(page, "Amount")).toBe("10,000,000.00 USD");
    expect(term(page, "To")).toBe(
      "“Boulangerie &lt;b&gt;Dupont&lt;/b&gt;”|FR1420041010050500013M02606|BIC PSSTFRPP|Rue Haute 1, Lyon, France",
    );
    expect(term(page, "Message to the payee")).toBe("Invoice 7 &lt;script&gt;");
    expect(term(page, "End-to-end ID")).toBe("E2E-7");
    expect(term(page, "Leaves your account")).toBe(
      "43,879,310.34 RON, at the bank’s indicative rate",
    );
    expect(term(page, "Fee")).toBe(
      "10.00 EUR, debited as 50.90 RON|You and the payee each pay the charges of your own bank.",
    );
  });

  it("the fee is none where the payee bears it, and said once where the account has its currency", async () => {
    const product = "cross-border-credit-transfers" as const;
    const credited = await atPayment({ order: { product, chargeBearer: "CRED" } });
    expect(term(html(credited.view), "Fee")).toBe("None|The payee pays the charges of all banks.");
    const debtor = { iban: "RO91DRWB0000000000000002" as Iban };
    const amount = money("EUR", 1n);
    const target = { product: "target-2-payments", amount, debtor } as const;
    const { view } = await atPayment({ order: { ...target, chargeBearer: "DEBT" } });
    expect(term(html(view), "Fee")).toBe("6.00 EUR|You pay the charges of all banks.");
  });
});

describe("what the page of a confirmation of funds says", () => {
  it("account, issuer, card by its last digits, until when, and what the issuer learns", async () => {
    const funds = {
      cardNumber: "5409 0500 0000 1234",
      cardInformation: "Gold card",
      registrationInformation: "Wallet",
      cardExpiryDate: "2027-03-31" as IsoDate,
    };
    const page = html((await atFunds({ funds })).view);
    expect(titleOf(page)).toBe("Let “Example TPP” check your funds - Drawbridge Bank");
    expect(term(page, "Account")).toBe("Account current RO21DRWB0000000000000001 RON");
    expect(term(page, "Card issuer")).toContain(
      "“Example TPP”|Registration number PSDRO-NBR-1234567",
    );
    expect(term(page, "Card")).toBe("Card number ending in 1234|Gold card|Wallet");
    expect(term(page, "Until")).toBe("31 March 2027");
    expect(textOf(page)).toContain(
      "It learns yes or no, never your balance, and nothing is reserved",
    );
    expect(page).not.toContain("5409");
  });

  it("a card that is not named, and no end", async () => {
    const page = html((await atFunds()).view);
    expect(term(page, "Card")).toBe("Not named");
    expect(term(page, "Until")).toBe("You or the card issuer end it");
  });

  it.each(["12", "gold", ""])("nothing of a card number like %j is shown", async (cardNumber) => {
    expect(term(html((await atFunds({ funds: { cardNumber } })).view), "Card")).toBe("Not named");
  });
});

describe.each([
  ["PIS", atPayment, paymentDesk, "Nothing was paid."],
  ["PIIS", atFunds, fundsDesk, "Nothing is shared with “Example TPP”."],
] as const)("the pages of %s", (_kind, at, deskWith, nothing) => {
  it("name the code's field and the buttons as everywhere", async () => {
    const page = html((await at()).view);
    expect(labels(page)).toEqual(["Code"]);
    expect(buttons(page)).toEqual(["Send a new code", "Confirm", "Cancel"]);
    expect(page).not.toMatch(/ style=|<script| on\w+=/);
  });

  it("offer only a code and Cancel before there is one", async () => {
    const { view } = await at();
    const page = html({ ...view, code: { ...view.code, sentAt: undefined } });
    expect(labels(page)).toEqual([]);
    expect(buttons(page)).toEqual(["Send code", "Cancel"]);
    const undelivered = { ...view, outcome: { outcome: "not-delivered" as const } };
    const again = html({ ...undelivered, code: { ...view.code, sentAt: undefined } });
    expect(again).toContain('href="#code"');
    expect(again).toContain('id="code"');
  });

  it("begin with a login that says what comes, in two steps", async () => {
    const said = textOf(html(await browser(deskWith()).look()));
    expect(said).toMatch(/Then you see .* and confirm it with a code\./);
    expect(said).toContain("Step 1 of 2");
  });

  it("end with what did not happen", async () => {
    const { view } = await at();
    const paid = ["nothing-to-share", "already-confirmed", "no-longer-valid"];
    for (const page of endPages.filter((one) => !paid.includes(one))) {
      const end = { ...view, page, decided: true, blockMinutes: 15 } as View;
      expect(textOf(html(end))).toContain(nothing);
    }
  });

  it("the blocked page tells no user ID apart from another, and what to do", async () => {
    const { view } = await at();
    const end = { ...view, page: "blocked", decided: true, blockMinutes: 15 } as const;
    const said = textOf(html(end));
    expect(said).toContain("at least 15 minutes");
    expect(said).toContain("call Drawbridge Bank");
  });
});

it("an order of which nothing is left out is shown whole", async () => {
  const { view } = await atPayment({ order: { ...order, creditor } });
  const said = html(view);
  for (const part of [creditor.agent, "Rue Haute", "Lyon", "France"]) expect(said).toContain(part);
});
