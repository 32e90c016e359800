import { describe, expect, it } from "vitest";
import {
  changed,
  entriesIn,
  entryIn,
  euro,
  november,
  october,
  saidOf,
  statementIn,
} from "./testing";

describe("a statement of version .001.02", () => {
  it("has account, balances and every entry", () => {
    const { id, account, opening, closing, leftOut } = statementIn(october);
    expect(id).toBe("4711-RON-2026-10");
    expect(account).toEqual({
      iban: "RO04XMPL0000000000004711",
      currency: "RON",
      bic: "XMPLROBU",
      name: "Cont curent",
      product: "Imported account",
      kind: "current",
    });
    expect(opening).toMatchObject({ amountMinor: 125_000n, day: "2026-10-01" });
    expect(closing).toMatchObject({ amountMinor: 719_435n, day: "2026-10-31" });
    expect(leftOut).toBe(0);
    expect(entriesIn(october).map((entry) => [entry.day, entry.status, entry.amountMinor])).toEqual(
      [
        ["2026-10-02", "booked", 845_000n],
        ["2026-10-05", "booked", -230_000n],
        ["2026-10-08", "booked", -8_640n],
        ["2026-10-12", "booked", -14_390n],
        ["2026-10-12", "booked", -22_725n],
        ["2026-10-15", "booked", -1_200n],
        ["2026-10-19", "booked", 14_390n],
        ["2026-10-31", "booked", 12_000n],
        ["2026-10-31", "pending", -5_999n],
      ],
    );
  });

  it("a debit has its creditor, bank, references and joined remittance information", () => {
    expect(entryIn(october, "XM20261005000204")).toEqual({
      reference: "XM20261005000204",
      status: "booked",
      amountMinor: -230_000n,
      day: "2026-10-05",
      valueOn: "2026-10-05",
      counterparty: { name: "Radu Stan", iban: "RO51OTHR0000000000000815", bic: "OTHRROBU" },
      remittance: "Chirie octombrie, apartament 12",
      endToEndId: "CHIRIE-2026-10",
      bankTransactionCode: "PMNT-ICDT-STDO",
    });
  });

  it("a credit has its debtor", () => {
    expect(entryIn(october, "XM20261002000117")?.counterparty).toEqual({
      name: "Editura Pădurea Înaltă SRL",
      iban: "RO24OTHR0000000000000816",
      bic: "OTHRROBUXXX",
    });
  });

  it("an entry without details has what the bank says about it", () => {
    expect(entryIn(october, "XM20261008000051")).toMatchObject({
      counterparty: {},
      remittance: "Card 4417, Băcănia Pop & Fiii, Cluj",
      valueOn: "2026-10-06",
    });
  });

  it("a batch whose amounts add up is one entry for each transaction", () => {
    expect(entryIn(october, "XM20261012000308/1")).toMatchObject({
      amountMinor: -14_390n,
      counterparty: { name: "Lumina Electrică SA", iban: "RO69UTIL0000000000000042" },
      endToEndId: "00520961-10",
      remittance: "Factura 00520961",
    });
    expect(entryIn(october, "XM20261012000308/2")).toMatchObject({
      amountMinor: -22_725n,
      counterparty: { name: "Apa Bună SA" },
      remittance: "Apă, trimestrul III",
    });
  });

  it("a batch with an amount in another currency stays one entry", () => {
    const text = changed(
      october,
      '<Amt Ccy="RON">143.90</Amt>\n              </Tx',
      '<Amt Ccy="EUR">29.00</Amt>\n              </Tx',
    );
    expect(entryIn(text, "XM20261012000308")).toMatchObject({
      amountMinor: -37_115n,
      counterparty: {},
    });
  });

  it("a proprietary code alone becomes ISO's miscellaneous debit or credit operation", () => {
    expect(entryIn(october, "XM20261015000001")).toMatchObject({
      bankTransactionCode: "PMNT-MDOP-OTHR",
      valueOn: undefined,
    });
    const credit = changed(october, /<Domn>\s*<Cd>PMNT<\/Cd>[\s\S]*?<\/Domn>/, "<Prtry/>");
    expect(entryIn(credit, "XM20261002000117")?.bankTransactionCode).toBe("PMNT-MCOP-OTHR");
  });

  it("a reversal keeps its own sign, and its parties the roles of what is reversed", () => {
    const reversal = { amountMinor: 14_390n, counterparty: { name: "Lumina Electrică SA" } };
    expect(entryIn(october, "XM20261019000077")).toMatchObject(reversal);
    const plain = changed(october, "<RvslInd>true</RvslInd>", "<RvslInd>false</RvslInd>");
    expect(entryIn(plain, "XM20261019000077")?.counterparty).toEqual({ name: "Ana Popescu" });
  });

  it("one's own account among the parties tells which side is the other one", () => {
    const own = `<DbtrAcct><Id><IBAN>RO04XMPL0000000000004711</IBAN></Id></DbtrAcct>`;
    const plain = changed(october, "<RvslInd>true</RvslInd>", "");
    const told = changed(plain, /(<Nm>Ana Popescu<\/Nm>\s*<\/Dbtr>)(\s*<Cdtr>)/, `$1${own}$2`);
    expect(entryIn(told, "XM20261019000077")?.counterparty.name).toBe("Lumina Electrică SA");
  });

  it("an instant falls on the bank's local day, a creditor reference is remittance information", () => {
    expect(entryIn(october, "XM20261031000009")).toMatchObject({
      day: "2026-10-31",
      valueOn: "2026-10-31",
      remittance: "RF18539007547034",
      endToEndId: undefined,
    });
  });
});

describe("texts", () => {
  it("are cut to 140 characters of remittance information and 70 of a name, never within one", () => {
    const long = changed(october, "Chirie octombrie,", "💶".repeat(139));
    expect([...String(entryIn(long, "XM20261005000204")?.remittance)]).toHaveLength(139);
    const name = changed(october, "Radu Stan", "ș".repeat(140));
    expect(entryIn(name, "XM20261005000204")?.counterparty.name).toBe("ș".repeat(70));
  });

  it("name a creditor reference once", () => {
    const information = /<RmtInf>\s*<Strd>/;
    const text = changed(october, information, "<RmtInf><Ustrd>RF18539007547034 met</Ustrd><Strd>");
    expect(entryIn(text, "XM20261031000009")?.remittance).toBe("RF18539007547034 met");
  });

  it("a savings account and a loan are what they are", () => {
    expect(statementIn(changed(october, "CACC", "SVGS")).account.kind).toBe("savings");
    expect(statementIn(changed(october, "CACC", "LOAN")).account.kind).toBe("loan");
  });
});

describe("a statement of version .001.08", () => {
  it("tells the same entry as version .001.02 does", () => {
    for (const reference of ["XM20261019000077", "XM20261031000009"]) {
      expect(entryIn(november, reference)).toEqual(entryIn(october, reference));
    }
  });

  it("has names under Pty and banks by BICFI, and begins with PRCD", () => {
    expect(statementIn(november).opening).toMatchObject({
      amountMinor: 693_045n,
      day: "2026-10-18",
    });
    expect(entryIn(november, "XM20261103000155")?.counterparty).toEqual({
      name: "Verlag am Hafen GmbH",
      iban: "DE14123456780000004711",
      bic: "XMPLDEFF",
    });
  });

  it("an entry for information is left out, and counted", () => {
    expect(statementIn(november).entries).toHaveLength(5);
    expect(statementIn(november).leftOut).toBe(1);
  });

  it("an entry of zero is left out, and counted", () => {
    const booked = "<Cd>BOOK</Cd></Sts><BookgDt><Dt>2026-11-05</Dt></BookgDt>";
    const text = changed(november, /<Cd>INFO<\/Cd>\s*<\/Sts>/, booked);
    expect(statementIn(text).entries).toHaveLength(5);
    expect(statementIn(text).leftOut).toBe(1);
  });

  it("takes the currency from the balances where the account has none, and five decimals", () => {
    expect(statementIn(euro).account).toMatchObject({ currency: "EUR", bic: "XMPLROBUXXX" });
    expect(statementIn(euro).opening.amountMinor).toBe(-2_000n);
    expect(statementIn(euro).closing).toMatchObject({ amountMinor: 106_350n, day: "2026-11-05" });
  });

  it("a mixed batch has each transaction's own direction, reference and code", () => {
    expect(entriesIn(euro).slice(0, 2)).toMatchObject([
      {
        reference: "X309-1-A",
        amountMinor: 124_000n,
        counterparty: { name: "Brauerei Zur Alten Mühle" },
        remittance: "Etiketten RF18539007547034",
        endToEndId: "2026/0711",
        bankTransactionCode: "PMNT-RCDT-ESCT",
      },
      {
        reference: "X309-1-B",
        amountMinor: -14_000n,
        counterparty: { name: "Druckerei Weiß", iban: "DE84123456780000004712" },
        bankTransactionCode: "PMNT-ICDT-ESCT",
      },
    ]);
  });

  it("a batch whose amounts do not add up stays one entry, of nobody alone", () => {
    expect(entriesIn(euro).slice(2)).toMatchObject([
      {
        reference: "2026-309-2",
        amountMinor: -1_650n,
        counterparty: {},
        remittance: "Two payments and 1.50 of charges",
        bankTransactionCode: "PMNT-MDOP-OTHR",
      },
    ]);
  });
});

const stmt = "/Document/BkToCstmrStmt/Stmt";

describe("a file that does not add up is refused with the place", () => {
  it("the opening balance and the booked entries do not make the closing balance", () => {
    expect(saidOf(changed(october, "7194.35", "7194.36"))).toBe(
      `${stmt}/Bal[2]: opening balance and booked entries make 7194.35, the closing balance is 7194.36`,
    );
  });

  it("a pending entry is no part of the closing balance", () => {
    const booked = "<Sts>BOOK</Sts><BookgDt><Dt>2026-10-31</Dt></BookgDt>";
    const text = changed(october, "<Sts>PDNG</Sts>", booked);
    expect(saidOf(text)).toContain("booked entries make 7134.36");
  });

  it("an entry for information is no part of it either", () => {
    const text = changed(november, '<Amt Ccy="RON">0.00', '<Amt Ccy="RON">1.00');
    expect(saidOf(text)).toContain("TxsSummry/TtlNtries/Sum: says 668.89");
  });

  it("a debit balance has its sign", () => {
    const text = changed(euro, "<c:CdtDbtInd>DBIT<", "<c:CdtDbtInd>CRDT<");
    expect(saidOf(text)).toContain("booked entries make 1103.50");
  });

  it("OPBD and PRCD differ", () => {
    const [balance = ""] = /<Bal>[\s\S]*?<\/Bal>/.exec(november) ?? [];
    const other = balance.replace("PRCD", "OPBD").replace("6930.45", "6930.44");
    expect(saidOf(changed(november, balance, balance + other))).toBe(
      `${stmt}/Bal[2]: the balances OPBD and PRCD differ`,
    );
  });

  it.each([
    ["NbOfNtries>8", "NbOfNtries>9", "TtlNtries/NbOfNtries: says 9, there are 8 entries"],
    ["NbOfNtries>3", "NbOfNtries>2", "TtlCdtNtries/NbOfNtries: says 2, there are 3 entries"],
    ["NbOfNtries>5", "NbOfNtries>x", "TtlDbtNtries/NbOfNtries: says x, there are 5 entries"],
    ["11543.44", "11543.45", "TtlNtries/Sum: says 11543.45, the entries make 11543.44"],
    ["8713.90", "8713.80", "TtlCdtNtries/Sum: says 8713.80, the entries make 8713.90"],
    ["2829.54", "2829.55", "TtlDbtNtries/Sum: says 2829.55, the entries make 2829.54"],
    ["5884.36", "5884.30", "TtlNtries/TtlNetNtryAmt: says 5884.30, the entries make 5884.36"],
    [
      /(5884.36<\/TtlNetNtryAmt>\s*<CdtDbtInd>)CRDT/,
      "$1DBIT",
      "TtlNtries/CdtDbtInd: says DBIT, the entries make 5884.36",
    ],
  ])("a summary that is wrong: %s for %s", (from, to, said) => {
    expect(saidOf(changed(october, from, to))).toBe(`${stmt}/TxsSummry/${said}`);
  });

  it("a wrong net amount in version .001.08", () => {
    expect(saidOf(changed(november, "<Amt>458.91", "<Amt>458.92"))).toBe(
      `${stmt}/TxsSummry/TtlNtries/TtlNetNtry/Amt: says 458.92, the entries make 458.91`,
    );
  });
});

describe("another currency than the account's is refused", () => {
  it("in a balance and in an entry", () => {
    const balance = changed(november, /Ccy="RON">6930/, 'Ccy="EUR">6930');
    const entry = changed(november, /Ccy="RON">143/, 'Ccy="EUR">143');
    const reason = "is in EUR, the account is in RON";
    expect(saidOf(balance)).toBe(`${stmt}/Bal[1]/Amt: ${reason}`);
    expect(saidOf(entry)).toBe(`${stmt}/Ntry[1]/Amt: ${reason}`);
  });

  it("an amount without a currency", () => {
    const text = changed(november, /<Amt Ccy="RON">143/, "<Amt>143");
    expect(saidOf(text)).toBe(`${stmt}/Ntry[1]/Amt: the attribute Ccy is missing`);
  });

  it("a currency that is no code", () => {
    expect(saidOf(changed(november, "<Ccy>RON", "<Ccy>lei"))).toBe(
      `${stmt}/Acct/Ccy: the currency is missing or no code of three letters`,
    );
  });
});

describe("a mandatory element that is missing is named, with where it is missed", () => {
  const message = "/Document/BkToCstmrStmt";
  const stmt = `${message}/Stmt`;

  /** The first element of that name, up to its first end tag, with what stands before it. */
  function first(name: string, before = "") {
    return new RegExp(`(${before})<${name}>[\\s\\S]*?</${name}>`);
  }

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

describe("a value is refused", () => {
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
      [
        "a status that is none",
        "<Sts>BOOK",
        "<Sts>DONE",
        "Ntry[1]/Sts",
        "is no status of an entry",
      ],
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
});

describe("entry references", () => {
  const bare = (text: string) => text.replace(/<(AcctSvcrRef|NtryRef)>[^<]*<\/\1>/g, "");

  it("NtryRef counts where the bank gives no AcctSvcrRef", () => {
    const text = october.replace(/<AcctSvcrRef>[^<]*<\/AcctSvcrRef>/g, "");
    expect(entriesIn(text).map(({ reference }) => reference)).toContain("4/2");
  });

  it("within a batch are their own only where they differ, else those of the batch, counted", () => {
    const same = changed(euro, "X309-1-B", "X309-1-A");
    const references = entriesIn(same).map(({ reference }) => reference);
    expect(references).toEqual(["2026-309-1/1", "2026-309-1/2", "2026-309-2"]);
  });

  it("of a batch that would get too long by counting are made from the content", () => {
    const text = changed(october, "XM20261012000308", "X".repeat(35));
    const [one, other] = entriesIn(text).slice(3, 5);
    expect(one?.reference).toMatch(/^CAMT[0-9a-f]{31}$/);
    expect(other?.reference).toMatch(/^CAMT[0-9a-f]{31}$/);
    expect(one?.reference).not.toBe(other?.reference);
  });

  it("an entry without one gets the same in every statement that has its day", () => {
    const made = entriesIn(bare(november)).map(({ reference }) => reference);
    expect(new Set(made).size).toBe(5);
    for (const reference of made) expect(reference).toMatch(/^CAMT[0-9a-f]{31}$/);
    const before = entriesIn(bare(october)).map(({ reference }) => reference);
    expect(made.filter((reference) => before.includes(reference))).toHaveLength(2);
  });

  it("two entries that say the same are two", () => {
    const [entry = ""] =
      /<Ntry>(?:(?!<\/Ntry>)[\s\S])*Internet Rapid[\s\S]*?<\/Ntry>/.exec(november) ?? [];
    const last = entry.slice(entry.lastIndexOf("<Ntry>"));
    const twice = changed(november, last, last + last)
      .replace("7389.36", "7344.36")
      .replace(/<TxsSummry>[\s\S]*<\/TxsSummry>/, "");
    const references = entriesIn(twice).map(({ reference }) => reference);
    expect(new Set(references).size).toBe(6);
  });
});
