import { describe, expect, it } from "vitest";
import { changed, euro, october, saidOf } from "./testing";

const stmt = "/Document/BkToCstmrStmt/Stmt";
const tx = "NtryDtls/TxDtls";
const noDirection = "is neither CRDT nor DBIT";
const noAmount = "is no amount of at most two fraction digits";
const noIban = "is no valid IBAN";
const onePage = "is one page of several, and only whole statements are read";
const ownIban = "<IBAN>RO04XMPL0000000000004711";
const landlord = "RO51OTHR0000000000000815";

describe("refused with the place is", () => {
  it.each([
    [
      "an IBAN with wrong check digits",
      ownIban,
      ownIban.replace("04X", "05X"),
      "Acct/Id/IBAN",
      noIban,
    ],
    ["an IBAN in lower case", "RO04XMPL", "ro04XMPL", "Acct/Id/IBAN", noIban],
    ["an IBAN of a country without", "RO04XMPL", "US04XMPL", "Acct/Id/IBAN", noIban],
    [
      "a party's IBAN",
      landlord,
      landlord.replace("815", "816"),
      `Ntry[2]/${tx}/RltdPties/CdtrAcct/Id/IBAN`,
      noIban,
    ],
    [
      "a BIC of six letters",
      ">OTHRROBU<",
      ">OTHRRO<",
      `Ntry[2]/${tx}/RltdAgts/CdtrAgt/FinInstnId/BIC`,
      "is no valid BIC",
    ],
    ["a status that is none", "<Sts>BOOK", "<Sts>DONE", "Ntry[1]/Sts", "is no status of an entry"],
    [
      "a direction that is none",
      /(8450.00[^C]*)CdtDbtInd>CRDT/,
      "$1CdtDbtInd>IN",
      "Ntry[1]/CdtDbtInd",
      noDirection,
    ],
    [
      "a reversal that is neither",
      "RvslInd>true",
      "RvslInd>yes",
      "Ntry[6]/RvslInd",
      "is neither true nor false",
    ],
    ["a day that does not exist", "2026-10-02", "2026-02-30", "Ntry[1]/BookgDt/Dt", "is no date"],
    [
      "an hour that does not exist",
      "30T22:30",
      "30T25:30",
      "Ntry[7]/BookgDt/DtTm",
      "is no date and time",
    ],
    ["a third digit after the point", ">8450.00<", ">8450.001<", "Ntry[1]/Amt", noAmount],
    ["a negative amount", ">8450.00<", ">-8450.00<", "Ntry[1]/Amt", noAmount],
    ["an amount with a comma", ">8450.00<", ">8450,00<", "Ntry[1]/Amt", noAmount],
    ["an amount with an exponent", ">8450.00<", ">8.45e3<", "Ntry[1]/Amt", noAmount],
    ["an amount of 15 digits", ">8450.00<", ">100000000000000.00<", "Ntry[1]/Amt", noAmount],
    [
      "a code of other than four letters",
      "<SubFmlyCd>SALA",
      "<SubFmlyCd>salary",
      "Ntry[1]/BkTxCd/Domn/Fmly/SubFmlyCd",
      "is no bank transaction code of four letters",
    ],
    [
      "an element twice",
      "<Sts>BOOK</Sts>",
      "<Sts>BOOK</Sts><Sts>PDNG</Sts>",
      "Ntry[1]/Sts[2]",
      "stands here more than once",
    ],
    ["an empty text", ">Radu Stan<", "> <", `Ntry[2]/${tx}/RltdPties/Cdtr/Nm`, "is empty"],
    [
      "a reference of 36 characters",
      "CHIRIE-2026-10",
      "X".repeat(36),
      `Ntry[2]/${tx}/Refs/EndToEndId`,
      "has more than 35 characters",
    ],
    [
      "an entry reference again, whatever stands under it",
      "XM20261005000204",
      "XM20261002000117",
      `Ntry[2]/${tx}`,
      "has the entry reference XM20261002000117 of line 112 again",
    ],
    ["a second closing balance", "CLAV", "CLBD", "Bal[3]", "is a second balance CLBD"],
  ])("%s", (_what, from, to, place, reason) => {
    expect(saidOf(changed(october, from, to))).toBe(`${stmt}/${place}: ${reason}`);
  });

  it("an interim balance in the place of the closing one", () => {
    const interim = "$1<SubTp><Cd>INTM</Cd></SubTp>";
    const text = changed(october, /(CLBD<\/Cd>\s*<\/CdOrPrtry>)/, interim);
    expect(saidOf(text)).toBe(`${stmt}: Bal CLBD is missing`);
  });

  it("one page of several", () => {
    const notLast = changed(euro, "LastPgInd>true", "LastPgInd>false");
    expect(saidOf(notLast)).toBe(`${stmt}/StmtPgntn: ${onePage}`);
    expect(saidOf(changed(euro, "PgNb>1", "PgNb>2"))).toBe(`${stmt}/StmtPgntn: ${onePage}`);
    const message = changed(october, "LastPgInd>true", "LastPgInd>false");
    expect(saidOf(message)).toBe(`/Document/BkToCstmrStmt/GrpHdr/MsgPgntn: ${onePage}`);
  });
});

describe("refused for its namespace is", () => {
  const own = "urn:iso:std:iso:20022:tech:xsd:camt.053.001.02";

  it.each([
    ["another version", own.replace(/02$/, "13"), "camt.053.001.13"],
    ["another message", own.replace("053", "052"), "camt.052.001.02"],
    ["no ISO 20022 at all", "http://www.w3.org/1999/xhtml", "http://www.w3.org/1999/xhtml"],
  ])("%s", (_what, namespace, said) => {
    expect(saidOf(changed(october, `xmlns="${own}"`, `xmlns="${namespace}"`))).toBe(
      `/Document: camt.053.001.02 and camt.053.001.08 are read, this is ${said}`,
    );
  });

  it("an element of another one within the statement", () => {
    const text = changed(october, '<Amt Ccy="RON">2300', '<Amt xmlns="u" Ccy="RON">2300');
    expect(saidOf(text)).toBe(`${stmt}/Ntry[2]/Amt: is not of the namespace ${own}`);
  });

  it("another root", () => {
    const text = october.replace(/(<\/?)Document/g, "$1Report");
    expect(saidOf(text)).toContain("/Report: camt.053.001.02 and");
  });
});
