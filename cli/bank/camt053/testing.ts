import { readFileSync } from "node:fs";
import type { LedgerDatabase } from "@/lib/core-bank/ledger/database";
import {
  importStatements,
  type Statement,
  StatementError,
} from "@/lib/core-bank/ledger/import-statements";
import { formatAmount, type IsoDate, type PsuId } from "@/lib/domain/values";
import { aspspProfile } from "@/lib/testing-profile";
import { readStatements } from "./read-statements";

export const october = sample("2026-10-ron.camt.053.001.02.xml");
export const november = sample("2026-11-ron.camt.053.001.08.xml");
export const euro = sample("2026-11-eur.camt.053.001.08.xml");

function sample(name: string): string {
  return readFileSync(new URL(`samples/${name}`, import.meta.url), "utf8");
}

export function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** The sample with one thing changed. Throws when what is to be changed is not there. */
export function changed(text: string, from: string | RegExp, to: string): string {
  const result = text.replace(from, to);
  if (result === text) throw new Error(`${from} is not in the sample`);
  return result;
}

/** Why a text is refused; throws when it is not. */
export function refusalOf(text: string | Uint8Array): string {
  try {
    readStatements(typeof text === "string" ? bytes(text) : text);
  } catch (error) {
    if (error instanceof StatementError) return error.message;
    throw error;
  }
  throw new Error("accepted");
}

/** Place and reason of a refusal, without the line before them. */
export function saidOf(text: string): string {
  const [, said] = /^line \d+, (.*)$/s.exec(refusalOf(text)) ?? [];
  if (said === undefined) throw new Error("no line is named");
  return said;
}

/** The first statement of a file, and what it says of each entry without the place. */
export function statementIn(text: string): Statement {
  const [statement] = readStatements(bytes(text));
  if (statement === undefined) throw new Error("no statement");
  return statement;
}

export function entriesIn(text: string) {
  return statementIn(text).entries.map(({ place: _, ...entry }) => entry);
}

export function entryIn(text: string, reference: string) {
  return entriesIn(text).find((entry) => entry.reference === reference);
}

/** Imports a file on the day on which the ledger's tests take place. */
export function importFile(
  database: LedgerDatabase,
  text: string,
  ownerId: PsuId,
  now = new Date("2026-11-20T10:00:00Z"),
) {
  return importStatements(database, {
    statements: readStatements(bytes(text)),
    ownerId,
    bic: aspspProfile.bic,
    now,
  });
}

type Version = "02" | "08";
export type MadeEntry = {
  readonly amountMinor: bigint;
  readonly day: IsoDate;
  readonly reference?: string;
  readonly status?: "BOOK" | "PDNG";
  readonly name?: string;
  readonly remittance?: string;
};
export type MadeStatement = {
  readonly version: Version;
  readonly id: string;
  readonly iban: string;
  readonly currency: string;
  readonly openingMinor: bigint;
  readonly closingDay: IsoDate;
  readonly entries: readonly MadeEntry[];
};

/** A file with these statements, each of which adds up. */
export function fileOf(...statements: readonly MadeStatement[]): string {
  const version = statements[0]?.version ?? "02";
  return `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.${version}"><BkToCstmrStmt>
<GrpHdr><MsgId>M</MsgId><CreDtTm>2026-11-06T03:00:00</CreDtTm></GrpHdr>
${statements.map(statementXml).join("\n")}
</BkToCstmrStmt></Document>`;
}

function statementXml(made: MadeStatement): string {
  const { id, iban, currency, openingMinor, closingDay, entries } = made;
  const closing = closingOf(made);
  return `<Stmt><Id>${id}</Id><CreDtTm>2026-11-06T03:00:00</CreDtTm>
<Acct><Id><IBAN>${iban}</IBAN></Id><Ccy>${currency}</Ccy></Acct>
${balanceXml("OPBD", openingMinor, currency, closingDay)}
${balanceXml("CLBD", closing, currency, closingDay)}
${entries.map((entry) => entryXml(entry, made)).join("\n")}</Stmt>`;
}

export function closingOf({ openingMinor, entries }: MadeStatement): bigint {
  const booked = entries.filter(({ status }) => status !== "PDNG");
  return booked.reduce((total, { amountMinor }) => total + amountMinor, openingMinor);
}

function balanceXml(type: string, minor: bigint, currency: string, day: IsoDate): string {
  return `<Bal><Tp><CdOrPrtry><Cd>${type}</Cd></CdOrPrtry></Tp>${amountXml(minor, currency)}<Dt><Dt>${day}</Dt></Dt></Bal>`;
}

function amountXml(minor: bigint, currency: string): string {
  const amount = formatAmount(minor < 0n ? -minor : minor);
  return `<Amt Ccy="${currency}">${amount}</Amt><CdtDbtInd>${minor < 0n ? "DBIT" : "CRDT"}</CdtDbtInd>`;
}

function entryXml(entry: MadeEntry, { version, currency }: MadeStatement): string {
  const { amountMinor, day, reference, status = "BOOK", name, remittance } = entry;
  const side = amountMinor < 0n ? "Cdtr" : "Dbtr";
  const parties = name === undefined ? "" : partyXml(side, name, version);
  const text = remittance ? `<RmtInf><Ustrd>${escaped(remittance)}</Ustrd></RmtInf>` : "";
  return `<Ntry>${amountXml(amountMinor, currency)}
<Sts>${version === "02" ? status : `<Cd>${status}</Cd>`}</Sts><BookgDt><Dt>${day}</Dt></BookgDt>
${reference === undefined ? "" : `<AcctSvcrRef>${escaped(reference)}</AcctSvcrRef>`}
<BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>ICDT</Cd><SubFmlyCd>ESCT</SubFmlyCd></Fmly></Domn></BkTxCd>
<NtryDtls><TxDtls>${parties}${text}</TxDtls></NtryDtls></Ntry>`;
}

function partyXml(side: string, name: string, version: MadeStatement["version"]): string {
  const named = `<Nm>${escaped(name)}</Nm>`;
  const party = version === "02" ? named : `<Pty>${named}</Pty>`;
  return `<RltdPties><${side}>${party}</${side}></RltdPties>`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);
}
