import { describe, expect, it } from "vitest";
import type { Transaction } from "@/lib/domain/account-access/bank-account";
import type {
  BookingStatus,
  TransactionsPage,
} from "@/lib/domain/account-access/transactions-page";
import type { BooksState, ResourceId, TransactionId } from "@/lib/domain/identifiers";
import type { IsoDate } from "@/lib/domain/iso-date";
import { current, entry, RON } from "@/lib/domain/testing/samples";
import { openCursor } from "../cursor";
import { sentBody } from "../testing/answer";
import { transactionRead, transactionsRead } from "./transactions";

type Report = { readonly transactions: Readonly<Record<string, unknown>> };
type Details = { readonly transactionsDetails: object };

const ports = {
  links: {
    aisp: "https://bank.example/aisp/v1",
    pisp: "https://bank.example/open-banking/v3.1/pisp/v1",
    cbpii: "https://bank.example/open-banking/v3.1/cbpii",
    scaOAuth: "https://bank.example/as",
  },
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
const order = {
  ...entry(id(), "2026-01-01"),
  startDate: "2025-01-01" as IsoDate,
  frequency: "Monthly" as const,
  dayOfExecution: "31",
};

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

describe("the next page", () => {
  it("is a link with a sealed cursor, which repeats the query and the state of the books", () => {
    const next = { day: "2026-11-18" as IsoDate, id: booked.id, asOf: "7" as BooksState };
    const { _links } = report("both", { entries: [booked], next });
    const { href } = (_links as { next: { href: string } }).next;
    const url = new URL(href);
    expect(url.pathname).toBe(`/aisp/v1/accounts/${resourceId}/transactions`);
    expect(openCursor(url.searchParams.get("cursor") ?? "none", "secret")).toEqual({
      ...next,
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
});
