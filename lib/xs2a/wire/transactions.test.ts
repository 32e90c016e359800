import { describe, expect, it } from "vitest";
import type { BookingStatus, TransactionsPage } from "@/lib/domain/account-access";
import type { Transaction } from "@/lib/domain/accounts";
import type { Rejection } from "@/lib/domain/errors";
import { current, entry, RON } from "@/lib/domain/testing/samples";
import type {
  Currency,
  IsoDate,
  ReportCursor,
  ResourceId,
  TransactionId,
} from "@/lib/domain/values";
import { aspspProfile } from "@/lib/testing-profile";
import type { SchemaContext } from "../declaration";
import { parse } from "../parse";
import { sentBody } from "../testing/requests";
import { links } from "../testing/tpp";
import {
  openCursor,
  sealCursor,
  transactionRead,
  transactionsQuery,
  transactionsRead,
} from "./transactions";

describe("transactions", () => {
  type Report = { readonly transactions: Readonly<Record<string, unknown>> };
  type Details = { readonly transactionsDetails: object };

  const ports = {
    links,
    cursorSecret: "secret",
  };
  const resourceId = "5c1e8b1a-6a0e-4bb0-9f39-0c1a5d9c2f11" as ResourceId;
  const open = {
    account: current,
    granted: {
      resourceId,
      accountId: current.id,
      iban: current.iban,
      currency: RON,
      rights: { balances: true, transactions: true, ownerName: false },
    },
  };
  const id = () => crypto.randomUUID() as string as TransactionId;
  const pending = entry(id(), "2026-11-19", "pending");
  const booked = entry(id(), "2026-11-18");
  const { amount, counterparty } = booked;
  const order = {
    ...{ id: id(), amount, counterparty },
    startDate: "2025-01-01" as IsoDate,
    frequency: "Monthly" as const,
    dayOfExecution: "31",
  };

  it("has all that NextGenPSD2 1.3.12 knows of an entry, and leaves out what the core bank does not tell", () => {
    const eur = "EUR" as Currency;
    const details = {
      mandateId: "M-1",
      checkId: "417",
      creditorId: "RO27ZZZ",
      ultimateName: "Ana Popescu",
      remittanceLines: ["Nursery", "October"],
      structuredRemittance: [{ reference: "RF18" }],
      purposeCode: "SUPP",
      additionalInformation: "Paid by cheque",
      proprietaryBankTransactionCode: "OUT-01",
      currencyExchange: [
        {
          sourceCurrency: RON,
          targetCurrency: eur,
          unitCurrency: RON,
          rate: "0.2010",
          quotationDate: "2026-11-18" as IsoDate,
          contractId: "FX-1",
        },
      ],
      balanceAfter: { type: "expected", amount: { currency: RON, minorUnits: 1_250n } },
      batch: {
        count: 2,
        members: [
          {
            amount: { currency: RON, minorUnits: -100n },
            counterparty: { name: "Shop" },
            structuredRemittance: [{ reference: "RF18" }, { reference: "RF19" }],
          },
        ],
      },
    } as const;
    const counterparty = { name: "Shop", ultimateName: "Shops Holding" };
    const transaction: Transaction = {
      ...booked,
      amount: { currency: RON, minorUnits: -200n },
      counterparty,
      details,
    };
    const { transactionsDetails } = sentBody<Details>(transactionRead({ ...open, transaction }));
    expect(transactionsDetails).toEqual({
      transactionId: booked.id,
      bookingDate: "2026-11-18",
      transactionAmount: { currency: "RON", amount: "-2.00" },
      bankTransactionCode: booked.bankTransactionCode,
      creditorName: "Shop",
      ultimateCreditor: "Shops Holding",
      ultimateDebtor: "Ana Popescu",
      mandateId: "M-1",
      checkId: "417",
      creditorId: "RO27ZZZ",
      remittanceInformationUnstructuredArray: ["Nursery", "October"],
      remittanceInformationStructured: { reference: "RF18" },
      purposeCode: "SUPP",
      additionalInformation: "Paid by cheque",
      proprietaryBankTransactionCode: "OUT-01",
      currencyExchange: [
        {
          sourceCurrency: "RON",
          exchangeRate: "0.2010",
          unitCurrency: "RON",
          targetCurrency: "EUR",
          quotationDate: "2026-11-18",
          contractIdentification: "FX-1",
        },
      ],
      balanceAfterTransaction: {
        balanceType: "expected",
        balanceAmount: { currency: "RON", amount: "12.50" },
      },
      batchIndicator: true,
      batchNumberOfTransactions: 2,
      entryDetails: [
        {
          transactionAmount: { currency: "RON", amount: "-1.00" },
          creditorName: "Shop",
          remittanceInformationStructuredArray: [{ reference: "RF18" }, { reference: "RF19" }],
        },
      ],
    });
  });

  it("has 140 characters of an only structured reference", () => {
    const structuredRemittance = [{ reference: "R".repeat(140) }];
    const transaction = { ...booked, details: { structuredRemittance } };
    const { transactionsDetails } = sentBody<Details>(transactionRead({ ...open, transaction }));
    expect(transactionsDetails).toMatchObject({
      remittanceInformationStructured: { reference: "R".repeat(140) },
    });
  });

  function report(bookingStatus: BookingStatus, given: Partial<TransactionsPage> = {}) {
    const dates = bookingStatus === "information" ? {} : { dateFrom: "2026-11-01" as IsoDate };
    const asked = { resourceId, bookingStatus, ...dates };
    const page = { ...open, asked, entries: [], standingOrders: [], ...given };
    return sentBody<Report>(transactionsRead(page, ports)).transactions;
  }

  describe("the lists of a report", () => {
    it.each<readonly [BookingStatus, readonly string[]]>([
      ["booked", ["booked"]],
      ["pending", ["pending"]],
      ["both", ["booked", "pending"]],
      ["information", ["information"]],
      ["all", ["booked", "information", "pending"]],
    ])("for bookingStatus %s are %j, also when they are empty", (bookingStatus, lists) => {
      const { _links, ...found } = report(bookingStatus);
      expect(Object.keys(found).sort()).toEqual(lists);
      expect(Object.values(found)).toEqual(lists.map(() => []));
      expect(_links).toEqual({ account: { href: `${ports.links.aisp}/accounts/${resourceId}` } });
    });

    it("have each entry by its status, and standing orders under information", () => {
      const all = report("all", { entries: [pending, booked], standingOrders: [order] });
      expect(all).toMatchObject({
        booked: [{ transactionId: booked.id, bookingDate: "2026-11-18" }],
        pending: [{ transactionId: pending.id }],
        information: [
          {
            transactionId: order.id,
            bankTransactionCode: "PMNT-ICDT-STDO",
            additionalInformationStructured: {
              standingOrderDetails: {
                startDate: "2025-01-01",
                frequency: "Monthly",
                dayOfExecution: "31",
              },
            },
          },
        ],
      });
    });
  });

  it("a standing order has all that NextGenPSD2 1.3.12 knows of it", () => {
    const details = {
      startDate: "2025-01-01" as IsoDate,
      endDate: "2027-01-01" as IsoDate,
      frequency: "MonthlyVariable",
      executionRule: "following",
      withinAMonthFlag: true,
      monthsOfExecution: ["1", "4", "10"],
      multiplicator: 1,
      dayOfExecution: "2",
    } as const;
    const limitAmount = { currency: RON, minorUnits: 9_900n };
    const bankTransactionCode = "PMNT-ICDT-XBST";
    const standingOrders = [{ ...order, ...details, limitAmount, bankTransactionCode }];
    expect(report("information", { standingOrders })["information"]).toMatchObject([
      {
        bankTransactionCode,
        additionalInformationStructured: {
          standingOrderDetails: { ...details, limitAmount: { currency: "RON", amount: "99.00" } },
        },
      },
    ]);
  });

  describe("the next page", () => {
    it("is a link with a sealed cursor, which repeats the query and the state of the books", () => {
      const next = "the books at 7, after 2" as string as ReportCursor;
      const { _links } = report("both", { entries: [booked], next });
      const { href } = (_links as { next: { href: string } }).next;
      const url = new URL(href);
      expect(url.pathname).toBe(`/open-banking/v3.1/aisp/v1/accounts/${resourceId}/transactions`);
      expect(openCursor(url.searchParams.get("cursor") ?? "none", "secret")).toEqual({
        after: next,
        last: { id: booked.id, day: booked.day },
        resourceId,
        bookingStatus: "both",
        dateFrom: "2026-11-01",
      });
    });
  });

  describe("one transaction", () => {
    const sent = (transaction: Transaction) =>
      sentBody<Details>(transactionRead({ ...open, transaction })).transactionsDetails;

    it("keeps its transactionId from pending to booked; only then it has a bookingDate", () => {
      expect(sent(pending)).toMatchObject({ transactionId: pending.id });
      expect(sent(pending)).not.toHaveProperty("bookingDate");
      const settled = { ...pending, status: "booked", day: "2026-11-20" as IsoDate } as const;
      expect(sent(settled)).toMatchObject({ transactionId: pending.id, bookingDate: "2026-11-20" });
    });

    it("names the creditor of what leaves, the debtor of what comes in", () => {
      expect(sent(booked)).toMatchObject({ creditorName: "Shop" });
      const incoming = { ...booked, amount: { currency: RON, minorUnits: 1n } };
      expect(sent(incoming)).toMatchObject({ debtorName: "Shop" });
      expect(sent(incoming)).not.toHaveProperty("creditorName");
    });

    it("has 70 characters of a longer name, the last one whole", () => {
      const counterparty = { name: "𠮷".repeat(71) };
      expect(sent({ ...booked, counterparty })).toMatchObject({ creditorName: "𠮷".repeat(70) });
    });
  });
});

describe("transactions query", () => {
  const schemaContext = {
    today: "2026-11-20" as IsoDate,
    profile: aspspProfile,
    sandbox: true,
    cursorSecret: "secret",
    redirectDomains: undefined,
  };
  const ask = (query: string, by: SchemaContext = schemaContext) =>
    parse("query", transactionsQuery, new URLSearchParams(query), by);
  const faults = (query: string, by?: SchemaContext) => {
    try {
      ask(query, by);
    } catch (error) {
      return (error as Rejection).faults.map(({ code, path }) => `${code} ${path}`);
    }
    return [];
  };
  const cursor = {
    resourceId: "r",
    bookingStatus: "booked",
    dateFrom: "2026-11-01",
    after: "the books at 7",
  } as const;

  describe("the transaction list's query", () => {
    it.each(["booked", "pending", "both", "all"])(
      "bookingStatus %s with its dates",
      (bookingStatus) => {
        expect(ask(`bookingStatus=${bookingStatus}&dateFrom=2026-11-01&dateTo=2026-11-02`)).toEqual(
          {
            bookingStatus,
            dateFrom: "2026-11-01",
            dateTo: "2026-11-02",
          },
        );
      },
    );

    it.each(["information", "all"])(
      "bookingStatus %s is 400 PARAMETER_NOT_SUPPORTED where the bank shows no standing orders",
      (bookingStatus) => {
        const features = { ...aspspProfile.features, standingOrders: false };
        const without = { ...schemaContext, profile: { ...aspspProfile, features } };
        expect(faults(`bookingStatus=${bookingStatus}`, without)).toEqual([
          "PARAMETER_NOT_SUPPORTED bookingStatus",
        ]);
        expect(faults("bookingStatus=both&dateFrom=2026-11-01", without)).toEqual([]);
      },
    );

    it("dates are ignored when bookingStatus is information", () => {
      const information = { bookingStatus: "information" };
      expect(ask("bookingStatus=information")).toEqual(information);
      for (const dates of ["dateFrom=2026-11-05&dateTo=2026-11-01", "dateFrom=x&dateTo=2026-02-30"])
        expect(ask(`bookingStatus=information&${dates}`)).toEqual(information);
    });

    it("dateTo in the future is treated as now", () => {
      expect(faults("bookingStatus=all&dateFrom=2026-11-20&dateTo=2026-11-21")).toEqual([]);
    });

    it("withBalance and what is not known is ignored", () => {
      expect(
        faults("bookingStatus=booked&dateFrom=2026-11-01&withBalance=maybe&pageIndex=7"),
      ).toEqual([]);
    });

    it.each([
      ["dateFrom=2026-11-01", ["FORMAT_ERROR bookingStatus"]],
      ["bookingStatus=none&dateFrom=2026-11-01", ["FORMAT_ERROR bookingStatus"]],
      [
        "bookingStatus=booked&bookingStatus=all&dateFrom=2026-11-01",
        ["FORMAT_ERROR bookingStatus"],
      ],
      ["bookingStatus=booked", ["FORMAT_ERROR dateFrom"]],
      ["bookingStatus=booked&dateFrom=2026-02-30", ["FORMAT_ERROR dateFrom"]],
      ["bookingStatus=booked&dateFrom=2026-11-02&dateTo=2026-11-01", ["FORMAT_ERROR dateTo"]],
      ["bookingStatus=booked&dateFrom=2026-11-02&dateTo=x", ["FORMAT_ERROR dateTo"]],
      ["bookingStatus=booked&dateFrom=2026-11-21", ["FORMAT_ERROR dateFrom"]],
      ["bookingStatus=all&dateFrom=2026-11-21&dateTo=2026-11-22", ["FORMAT_ERROR dateFrom"]],
      [
        "bookingStatus=booked&dateFrom=2026-11-01&entryReferenceFrom=1&deltaList=true",
        ["PARAMETER_NOT_SUPPORTED entryReferenceFrom", "PARAMETER_NOT_SUPPORTED deltaList"],
      ],
      [
        "bookingStatus=information&deltaList=true&dateFrom=x",
        ["PARAMETER_NOT_SUPPORTED deltaList"],
      ],
      [
        `cursor=${sealCursor(cursor, "secret")}&entryReferenceFrom=1`,
        ["PARAMETER_NOT_SUPPORTED entryReferenceFrom"],
      ],
      ["cursor=x", ["FORMAT_ERROR cursor"]],
      [`cursor=${sealCursor(cursor, "another secret")}`, ["FORMAT_ERROR cursor"]],
    ])("%s: %j", (query, expected) => expect(faults(query)).toEqual(expected));
  });

  describe("the cursor", () => {
    it("repeats the query it came from", () => {
      expect(ask(`cursor=${sealCursor({ ...cursor, dateTo: "2026-11-09" }, "secret")}`)).toEqual({
        bookingStatus: "booked",
        dateFrom: "2026-11-01",
        dateTo: "2026-11-09",
        after: "the books at 7",
        reportOf: "r",
      });
    });

    it("has the last entry of its page, which the core bank's next one is held against, unless it is of an older release", () => {
      const last = { id: "T-1", day: "2026-11-09" };
      expect(ask(`cursor=${sealCursor({ ...cursor, last }, "secret")}`)).toMatchObject({ last });
      expect(ask(`cursor=${sealCursor(cursor, "secret")}`)).not.toHaveProperty("last");
    });

    it("with any one character changed is refused", () => {
      const sealed = sealCursor(cursor, "secret");
      for (let at = 0; at < sealed.length; at += 1) {
        const other = sealed[at] === "A" ? "B" : "A";
        const forged = sealed.slice(0, at) + other + sealed.slice(at + 1);
        expect(openCursor(forged, "secret")).toBeUndefined();
      }
    });
  });
});
