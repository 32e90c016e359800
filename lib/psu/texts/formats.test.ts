import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { money as of } from "@/lib/domain/bank-profile";
import { tpp } from "@/lib/domain/testing/samples";
import { formatAmount, type IsoDate } from "@/lib/domain/values";
import { staffTextsFor } from "@/lib/staff/texts/texts-for";
import { bankWithPayment, browser, order } from "../testing/authorisation";
import { atPermissions } from "../testing/own-channel";
import { formats as english } from "./en";
import { day, dayAndTime, duration, listed, money, regionName, time } from "./formats";
import { counted, formats as romanian } from "./ro";

describe("how long something lasts", () => {
  it.each([
    [480, "8 hours", "8 ore"],
    [500, "8 hours and 20 minutes", "8 ore și 20 de minute"],
    [61, "1 hour and 1 minute", "1 oră și 1 minut"],
    [5, "5 minutes", "5 minute"],
  ])("%s minutes: %s, %s", (minutes, inEnglish, inRomanian) => {
    expect(duration(english, minutes)).toBe(inEnglish);
    expect(duration(romanian, minutes)).toBe(inRomanian);
  });

  it("of a session of the bank's staff: hours and minutes, and no fraction of an hour", () => {
    const said = staffTextsFor("en").frame.limits({ inactivityMinutes: 15, sessionMinutes: 500 });
    expect(said).toContain("after 8 hours and 20 minutes in any case");
  });
});

describe("an amount for the reader", () => {
  it.each([
    [1n, "0.01 RON", "0,01 RON"],
    [100_000n, "1,000.00 RON", "1.000,00 RON"],
    [123_450n, "1,234.50 RON", "1.234,50 RON"],
    [9_999_999_999_999_999n, "99,999,999,999,999.99 RON", "99.999.999.999.999,99 RON"],
  ])("%s minor units: %s, %s", (minorUnits, inEnglish, inRomanian) => {
    expect(money(english, of("RON", minorUnits))).toBe(inEnglish);
    expect(money(romanian, of("RON", minorUnits))).toBe(inRomanian);
  });

  it("P7: has every digit of the amount, and no other", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 16n - 1n }), (minorUnits) => {
        const amount = of("EUR", minorUnits);
        const exact = `${formatAmount(minorUnits)} EUR`;
        expect(money(english, amount).replaceAll(",", "")).toBe(exact);
        expect(money(romanian, amount).replaceAll(".", "").replace(",", ".")).toBe(exact);
      }),
    );
  });
});

describe("a day and a time for the reader", () => {
  const at = new Date("2026-11-21T16:05:00Z");
  const date = "2026-11-21" as IsoDate;

  it("in words and by the 24 hours of the bank", () => {
    expect(day(english, date)).toBe("21 November 2026");
    expect(day(romanian, date)).toBe("21 noiembrie 2026");
    expect(time(romanian, at, "Europe/Bucharest")).toBe("18:05");
    expect(dayAndTime(english, at, "Europe/Bucharest")).toBe("21 November 2026, 18:05");
    expect(dayAndTime(romanian, at, "Europe/Bucharest")).toBe("21 noiembrie 2026, 18:05");
  });

  it("every day of the calendar is its own, in Romanian by small letters", () => {
    const days = fc.date({
      min: new Date("2020-01-01"),
      max: new Date("2099-12-31"),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(days, (instant) => {
        const iso = instant.toISOString().slice(0, 10);
        const said = day(romanian, iso as IsoDate);
        expect(said).toMatch(/^\d{1,2} \p{Ll}+ \d{4}$/u);
        expect([parseInt(said, 10), said.slice(-4)]).toEqual([
          Number(iso.slice(8)),
          iso.slice(0, 4),
        ]);
      }),
    );
  });

  it("a time is four digits with a colon, never twelve hours", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1439 }), (minutes) => {
        const two = (part: number) => String(part).padStart(2, "0");
        const clock = `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
        const instant = new Date(`2026-11-21T${clock}:00Z`);
        expect(time(romanian, instant, "UTC")).toBe(clock);
        expect(time(english, instant, "UTC")).toBe(clock);
      }),
    );
  });
});

describe("how many, in Romanian", () => {
  const accounts = (count: number) => counted(count, { one: "1 cont", many: "conturi" });

  it("with de from twenty on, and without it for the first nineteen of each hundred", () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 1_000_000 }), (count) => {
        const rest = count % 100;
        const of = rest >= 1 && rest <= 19 ? "" : "de ";
        expect(accounts(count)).toBe(`${count} ${of}conturi`);
      }),
    );
    expect(accounts(1)).toBe("1 cont");
    expect(accounts(0)).toBe("0 conturi");
  });
});

it("a list ends with the language's own and", () => {
  expect(listed(english, ["a", "b", "c"])).toBe("a, b and c");
  expect(listed(romanian, ["a", "b", "c"])).toBe("a, b și c");
  expect(listed(romanian, ["a"])).toBe("a");
});

it("a country is named, and one without a name keeps its code", () => {
  expect(regionName(english, "RO")).toBe("Romania");
  expect(regionName(romanian, "RO")).toBe("România");
  expect(regionName(romanian, "DE")).toBe("Germania");
  expect(regionName(romanian, "QX")).toBe("QX");
});

/** A Cyrillic letter each, and what reads on to the right of the quotation. */
const posing = { tpp: "P\u0430yPal", payee: 'Sh\u043Ep" \u202Eyours' };

function atPosingPayment() {
  const creditor = { ...order.creditor, name: posing.payee };
  const ours = bankWithPayment({ order: { creditor } });
  const find = async () => ({ ...tpp, name: posing.tpp });
  return {
    ...ours,
    services: { ...ours.services, tppRegister: { ...ours.services.tppRegister, find } },
  };
}

describe("P4: a name that poses as another", () => {
  it("is shown as such on the page of the payment and in its text message, in quotation marks", async () => {
    const ours = atPosingPayment();
    const view = await browser(ours).signIn();
    if (view.page !== "payment") throw new Error(`at ${view.page}`);
    expect(view.tpp.name).toBe("P[U+0430]yPal");
    expect(view.payment.order.creditor.name).toBe("Sh[U+043E]p' [U+202E]yours");
    const text = ours.bank.texts.at(-1)?.text;
    expect(text).toContain(`to "Sh[U+043E]p' [U+202E]yours", ${order.creditor.iban}`);
    expect(text).toContain('asked by "P[U+0430]yPal"');
  });

  it("is shown as such among the permissions", async () => {
    const { ours, psu, payment: target } = await atPermissions();
    for (const [id, payment] of ours.bank.payments) {
      const creditor = { ...order.creditor, name: posing.payee };
      ours.bank.payments.set(id, { ...payment, order: { ...order, creditor } });
    }
    const view = await psu.details(target);
    const payee = { name: "Sh[U+043E]p' [U+202E]yours" };
    expect(view).toMatchObject({ permission: { payment: { order: { creditor: payee } } } });
    const list = await psu.list({ state: "all" });
    expect(
      JSON.stringify(list, (_name, value) => (typeof value === "bigint" ? "" : value)),
    ).toContain(payee.name);
  });
});
