import { describe, expect, it } from "vitest";
import { aspspProfile } from "@/lib/domain/aspsp-profile";
import type { IsoDate } from "@/lib/domain/iso-date";
import type { Rejection } from "@/lib/domain/rejection";
import { openCursor, sealCursor } from "../cursor";
import { parse } from "../parse";
import { transactionsQuery } from "./transactions-query";

const circumstances = {
  today: "2026-11-20" as IsoDate,
  profile: aspspProfile,
  sandbox: true,
  cursorSecret: "secret",
  redirectDomains: undefined,
};
const ask = (query: string) =>
  parse("query", transactionsQuery, new URLSearchParams(query), circumstances);
const faults = (query: string) => {
  try {
    ask(query);
  } catch (error) {
    return (error as Rejection).faults.map(({ code, path }) => `${code} ${path}`);
  }
  return [];
};
const cursor = {
  resourceId: "r",
  bookingStatus: "booked",
  dateFrom: "2026-11-01",
  day: "2026-11-05",
  id: "i",
  asOf: "7",
} as const;

describe("the transaction list's query", () => {
  it.each(["booked", "pending", "both", "all"])(
    "bookingStatus %s with its dates",
    (bookingStatus) => {
      expect(ask(`bookingStatus=${bookingStatus}&dateFrom=2026-11-01&dateTo=2026-11-02`)).toEqual({
        bookingStatus,
        dateFrom: "2026-11-01",
        dateTo: "2026-11-02",
      });
    },
  );

  it("dates are ignored when bookingStatus is information", () => {
    const information = { bookingStatus: "information" };
    expect(ask("bookingStatus=information")).toEqual(information);
    expect(ask("bookingStatus=information&dateFrom=2026-11-05&dateTo=2026-11-01")).toEqual(
      information,
    );
  });

  it("withBalance and what is not known is ignored", () => {
    expect(
      faults("bookingStatus=booked&dateFrom=2026-11-01&withBalance=maybe&pageIndex=7"),
    ).toEqual([]);
  });

  it.each([
    ["dateFrom=2026-11-01", ["FORMAT_ERROR bookingStatus"]],
    ["bookingStatus=none&dateFrom=2026-11-01", ["FORMAT_ERROR bookingStatus"]],
    ["bookingStatus=booked&bookingStatus=all&dateFrom=2026-11-01", ["FORMAT_ERROR bookingStatus"]],
    ["bookingStatus=booked", ["FORMAT_ERROR dateFrom"]],
    ["bookingStatus=booked&dateFrom=2026-02-30", ["FORMAT_ERROR dateFrom"]],
    ["bookingStatus=booked&dateFrom=2026-11-02&dateTo=2026-11-01", ["FORMAT_ERROR dateTo"]],
    ["bookingStatus=booked&dateFrom=2026-11-02&dateTo=x", ["FORMAT_ERROR dateTo"]],
    [
      "bookingStatus=booked&dateFrom=2026-11-01&entryReferenceFrom=1&deltaList=true",
      ["PARAMETER_NOT_SUPPORTED entryReferenceFrom", "PARAMETER_NOT_SUPPORTED deltaList"],
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
      after: { day: "2026-11-05", id: "i", asOf: "7" },
      reportOf: "r",
    });
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
