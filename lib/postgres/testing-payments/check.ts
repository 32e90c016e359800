import { expect } from "vitest";
import { aspspProfile } from "@/lib/domain/aspsp-profile";
import { convert } from "@/lib/domain/payment/exchange-rate";
import { type Books, type PaymentRow, rowOf } from "./books";
import { EUR } from "./lane";
import {
  balanceOf,
  DAY_LIMIT,
  dayOf,
  isWithTheBank,
  type Life,
  type Model,
  usedOn,
  wasAccepted,
} from "./model";

/**
 * After each command: no payment is there twice or lost, no status has gone backwards, no money was
 * made or lost and none spent that is not there, and no limit is passed. One comparison of two texts,
 * because there are a hundred thousand of them.
 */
export function check(model: Model, books: Books): void {
  expect(inWords(books)).toBe(inWords(booksIn(model, books)));
  const { now, overdraft } = model;
  expect(balanceOf(model) >= -overdraft && usedOn(model, dayOf(now)) <= DAY_LIMIT).toBe(true);
}

const inWords = (books: Books) => JSON.stringify(books, null, 1);

/** The books as they should be. */
function booksIn(model: Model, seen: Books): Books {
  const { lives } = model;
  const pending = lives.filter(({ status }) => status === "ACSP");
  const arrived = lives.filter(
    ({ status, payee }) => payee === "inside" && (status === "ACSC" || status === "ACCC"),
  );
  const nothing = { total: "0", pending: "0" };
  const days = new Set(lives.filter(wasAccepted).map(({ authorisedAt }) => dayOf(authorisedAt)));
  return {
    payments: lives
      .map((life) => rowIn(life, seen))
      .toSorted((one, other) => (one.id < other.id ? -1 : 1)),
    debtor: { total: `${balanceOf(model)}`, pending: `${-sum(pending, ({ debit }) => debit)}` },
    inside: { ...nothing, total: `${sum(arrived, credited)}` },
    closed: nothing,
    unbalanced: [],
    days: [...days].sort().map((day) => ({ day, used: `${usedOn(model, day)}` })),
  };
}

function rowIn(life: Life, books: Books): PaymentRow {
  const { id, dueAt, scaStatus: sca, failedAttempts: failed } = life;
  const had = knownOf(life, rowOf(books, id).had);
  life.known = had.length;
  const status = had.at(-1) ?? life.status;
  return {
    id,
    status,
    had,
    ledger: life.authorisedAt === undefined ? [] : life.history.slice(2),
    due: dueAt?.getTime() ?? null,
    inOutbox: isWithTheBank({ ...life, status }),
    sca,
    failed,
  };
}

/** All of its statuses; while Drawbridge may be behind, those it has, if they are the first and none is gone. */
function knownOf({ history, known, behindUntil }: Life, had: PaymentRow["had"]): PaymentRow["had"] {
  const isBehind = had.length >= known && had.every((status, nth) => status === history[nth]);
  return behindUntil !== undefined && isBehind ? had : history;
}

const credited = ({ order }: Life) => convert(order.amount, EUR, aspspProfile).minorUnits;

const sum = (lives: readonly Life[], of: (life: Life) => bigint) =>
  lives.reduce((total, life) => total + of(life), 0n);
