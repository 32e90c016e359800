import { describe, expect, it } from "vitest";
import type { BooksState, TransactionId } from "../identifiers";
import type { IsoDate } from "../iso-date";
import { access } from "../testing/access";
import { bytes, numberedBooks } from "../testing/numbered-books";
import type { TransactionCursor } from "./account-source";
import type { BankAccount } from "./bank-account";
import type { TransactionsAsked } from "./transactions-page";

const state = (text: string) => text as BooksState;
const day = (text: string) => text as IsoDate;

describe("another page", () => {
  const cursor = { day: day("2026-11-20"), id: "b" as TransactionId, asOf: state("7") };
  const following = { after: cursor };

  it.each<readonly [string, TransactionCursor]>([
    ["day", { ...cursor, day: day("2026-11-19") }],
    ["entry", { ...cursor, id: "c" as TransactionId }],
    ["state of the books", { ...cursor, asOf: state("6") }],
  ])("is one that follows from another %s", async (_name, after) => {
    const { send } = await numberedBooks();
    await send(following);
    expect(await send({ after })).not.toHaveProperty("sentBefore");
    expect(await send(following)).toEqual({ sentBefore: bytes });
  });

  it.each<readonly [string, Partial<BankAccount>]>([
    ["another IBAN", { iban: "RO00DRWB0000000000000009" as BankAccount["iban"] }],
    ["another currency", { currency: "EUR" as BankAccount["currency"] }],
  ])("is one of the account under %s", async (_name, change) => {
    const { send, bank } = await numberedBooks();
    await send();
    for (const [psu, accounts] of bank.accountsOf) {
      bank.accountsOf.set(
        psu,
        accounts.map((account) => ({ ...account, ...change })),
      );
    }
    expect(await send()).not.toHaveProperty("sentBefore");
  });
  it.each<readonly [string, Partial<TransactionsAsked>]>([
    ["of other lists", { bookingStatus: "both" }],
    ["from another day on", { dateFrom: day("2026-11-02") }],
    ["up to a day", { dateTo: day("2026-11-20") }],
    ["that follows", following],
  ])("is one %s", async (_name, given) => {
    const { send } = await numberedBooks();
    await send();
    expect(await send(given)).not.toHaveProperty("sentBefore");
    expect(await send(given)).toEqual({ sentBefore: bytes });
  });

  it("is one of the next day, which may have entries of its own", async () => {
    const { send, consent } = await numberedBooks();
    const beforeMidnight = access(consent, new Date("2026-11-20T21:59:50Z"));
    await send({}, beforeMidnight);
    expect(await send({}, beforeMidnight)).toEqual({ sentBefore: bytes });
    const afterMidnight = access(consent, new Date("2026-11-20T22:00:00Z"));
    expect(await send({}, afterMidnight)).not.toHaveProperty("sentBefore");
  });

  it("is one of the consent's other account", async () => {
    const { send, consent } = await numberedBooks();
    await send();
    const [first] = consent.grantedAccounts;
    if (first === undefined) throw new Error("nothing granted");
    const second = { ...first, resourceId: crypto.randomUUID() as typeof first.resourceId };
    const both = access({ ...consent, grantedAccounts: [first, second] });
    expect(await send({ resourceId: second.resourceId }, both)).not.toHaveProperty("sentBefore");
  });

  it("O1: is one of another consent, or a TPP could tell from the time what another one has read", async () => {
    const { send, consent } = await numberedBooks();
    await send();
    const other = { ...consent, id: crypto.randomUUID() as typeof consent.id };
    expect(await send({}, access(other))).not.toHaveProperty("sentBefore");
  });
});
