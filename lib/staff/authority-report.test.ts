import { describe, expect, it } from "vitest";
import { tpp } from "@/lib/domain/testing/samples";
import type { TppBlockRequest } from "@/lib/domain/tpp-blocks";
import { aspspProfile } from "@/lib/testing-profile";
import { authorityReport, reportAsText } from "./authority-report";

const request: TppBlockRequest = {
  id: "3f7c2b7e-5d53-4f2e-9d59-0a6a2f6f3c11",
  action: "block",
  tppId: tpp.id,
  basis: "unauthorised-access",
  reason: "Read accounts\nwithout consent.",
  requestedBy: "ioana",
  requestedAt: new Date("2026-11-20T08:00:00Z"),
};
const approval = { id: request.id, by: "radu", at: new Date("2026-11-20T09:30:00Z") };
const affected = { permissions: 12, psus: 9 };

describe("PSD2 art. 68(6): the report to the competent authority", () => {
  it("has bank, TPP, authority, legal basis, facts, time, measures and whom it affects, and names no person of the bank", () => {
    const report = authorityReport(aspspProfile)({ request, approval, affected, tpp });
    const text = reportAsText(report);
    for (const part of [
      ...[aspspProfile.name, aspspProfile.bic, tpp.name, tpp.id, tpp.authorityName],
      ...["PSD2 art. 68(5)", request.reason, "20 November 2026", "11:30", request.id],
      ...["12, of 9 customers", "Every request of the provider is refused", "given on their pages"],
    ]) {
      expect(text).toContain(part);
    }
    expect(text).not.toMatch(/ioana|radu/);
  });

  it("says from when and until when the provider is blocked, which an earlier order may decide", () => {
    const until = new Date("2026-11-22T22:00:00Z");
    const blockedAt = new Date("2026-11-20T07:00:00Z");
    const facts = { request: { ...request, until }, approval, affected, tpp };
    const textOf = (inForce: { readonly blockedAt: Date; readonly until?: Date }) =>
      reportAsText(authorityReport(aspspProfile)({ ...facts, inForce }));
    expect(textOf({ blockedAt: approval.at, until })).toMatch(/11:30.*23 November 2026/s);
    const earlier = textOf({ blockedAt });
    expect(earlier).toContain("9:00");
    expect(earlier).not.toContain("23 November");
  });

  it("says why the customers are not told, and speaks the bank's language", () => {
    const secrecy = { ground: "law", reason: "Ancheta 12/2026." } as const;
    const bank = { ...aspspProfile, defaultLanguage: "ro" } as const;
    const many = { permissions: 31, psus: 25 };
    const facts = { request: { ...request, secrecy }, approval, affected: many };
    const report = authorityReport(bank)(facts);
    expect(report.language).toBe("ro");
    expect(reportAsText(report)).toMatch(/nu a fost făcută\. .*Ancheta 12\/2026\./);
    expect(reportAsText(report)).toContain("31, de la 25 de clienți");
    expect(reportAsText(report)).toContain("nu a apelat încă banca");
  });

  it("of the end of a block says so", () => {
    const end = { ...request, action: "unblock", basis: "reasons-over" } as const;
    const report = authorityReport(aspspProfile)({ request: end, approval, affected, tpp });
    expect(report.heading).toContain("allowed again");
    expect(reportAsText(report)).not.toContain("Until:");
  });
});
