import { describe, expect, it } from "vitest";
import { changed, november, october, saidOf } from "./testing";

const message = "/Document/BkToCstmrStmt";
const stmt = `${message}/Stmt`;

/** The first element of that name, up to its first end tag, with what stands before it. */
function first(name: string, before = "") {
  return new RegExp(`(${before})<${name}>[\\s\\S]*?</${name}>`);
}

describe("a mandatory element that is missing is named, with where it is missed", () => {
  it.each([
    ["GrpHdr", message, "GrpHdr/MsgId", first("GrpHdr")],
    ["MsgId", message, "GrpHdr/MsgId", first("MsgId")],
    ["CreDtTm", message, "GrpHdr/CreDtTm", first("CreDtTm")],
    ["Stmt", message, "Stmt", first("Stmt")],
    ["Id", stmt, "Id", first("Id", "<Stmt>\\s*")],
    ["Acct", stmt, "Acct", first("Acct")],
    ["IBAN", `${stmt}/Acct`, "Id/IBAN", first("IBAN")],
    ["OPBD", stmt, "Bal OPBD or PRCD", first("Bal")],
    ["CLBD", stmt, "Bal CLBD", first("Bal", "</Bal>\\s*")],
    ["Tp of a balance", `${stmt}/Bal[1]`, "Tp/CdOrPrtry/Prtry", first("Tp", "<Bal>\\s*")],
    ["Dt of a balance", `${stmt}/Bal[1]/Dt`, "Dt", first("Dt", "<Dt>\\s*")],
    ["Amt", `${stmt}/Ntry[1]`, "Amt", /()<Amt Ccy="RON">8450.00<\/Amt>/],
    ["CdtDbtInd", `${stmt}/Ntry[1]`, "CdtDbtInd", first("CdtDbtInd", "8450.00</Amt>\\s*")],
    ["Sts", `${stmt}/Ntry[1]`, "Sts", first("Sts")],
    ["BookgDt", `${stmt}/Ntry[1]`, "BookgDt", first("BookgDt")],
    ["BkTxCd", `${stmt}/Ntry[1]`, "BkTxCd", first("BkTxCd")],
    ["Cd of a domain", `${stmt}/Ntry[1]/BkTxCd/Domn`, "Cd", first("Cd", "<Domn>\\s*")],
    ["Fmly", `${stmt}/Ntry[1]/BkTxCd/Domn`, "Fmly/Cd", first("Fmly")],
    ["SubFmlyCd", `${stmt}/Ntry[1]/BkTxCd/Domn`, "Fmly/SubFmlyCd", first("SubFmlyCd")],
    ["PgNb", `${message}/GrpHdr/MsgPgntn`, "PgNb", first("PgNb")],
  ])("%s", (_what, place, missing, element) => {
    expect(saidOf(changed(october, element, "$1"))).toBe(`${place}: ${missing} is missing`);
  });

  it("Cd of a status in version .001.08, in which Sts has no text of its own", () => {
    const said = `${stmt}/Ntry[1]: Sts/Cd is missing`;
    expect(saidOf(changed(november, /<Cd>BOOK<\/Cd>/, ""))).toBe(said);
    expect(saidOf(changed(november, /<Cd>BOOK<\/Cd>/, "BOOK"))).toBe(said);
  });

  it("BkTxCd of an entry that is left out", () => {
    const text = changed(november, /<BkTxCd>\s*<Prtry>[\s\S]*?<\/BkTxCd>/, "");
    expect(saidOf(text)).toBe(`${stmt}/Ntry[6]: BkTxCd is missing`);
  });

  it("text of Sts in version .001.02, in which it has no code below it", () => {
    const text = changed(october, "<Sts>BOOK</Sts>", "<Sts><Cd>BOOK</Cd></Sts>");
    expect(saidOf(text)).toBe(`${stmt}/Ntry[1]/Sts: is no status of an entry`);
  });

  it("a date in a place for one", () => {
    const text = changed(october, "<Dt>2026-10-02</Dt>", "<Year>2026</Year>");
    expect(saidOf(text)).toBe(`${stmt}/Ntry[1]/BookgDt: Dt is missing`);
  });
});
