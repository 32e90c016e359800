import { expect } from "vitest";
import { aspspProfile } from "@/lib/domain/aspsp-profile";
import { convert } from "@/lib/domain/payment/exchange-rate";
import type { Books, PaymentRow } from "./books";
import { EUR } from "./lane";
import { balanceOf, DAY_LIMIT, dayOf, type Life, type Model, usedOn } from "./model";

/**
 * After each command: no payment is there twice or lost, no status has gone backwards, no money was
 * made or lost and none spent that is not there, and no limit is passed. One comparison of two texts,
 * because there are a hundred thousand of them.
 */
export function check(model: Model, books: Books): void {
  expect(inWords(books)).toBe(inWords(booksIn(model)));
  const { now, overdraft } = model;
  expect(balanceOf(model) >= -overdraft && usedOn(model, dayOf(now)) <= DAY_LIMIT).toBe(true);
}

const inWords = (books: Books) => JSON.stringify(books, null, 1);

/** The books as they should be. */
function booksIn(model: Model): Books {
  const { lives } = model;
  const pending = lives.filter(({ status }) => status === "ACSP");
  const arrived = lives.filter(
    ({ status, payee }) => payee === "inside" && (status === "ACSC" || status === "ACCC"),
  );
  const nothing = { total: "0", pending: "0" };
  const days = new Set(lives.flatMap(({ authorisedAt: at }) => (at ? [dayOf(at)] : [])));
  return {
    payments: lives.map(rowIn).toSorted((one, other) => (one.id < other.id ? -1 : 1)),
    debtor: { total: `${balanceOf(model)}`, pending: `${-sum(pending, ({ debit }) => debit)}` },
    inside: { ...nothing, total: `${sum(arrived, credited)}` },
    closed: nothing,
    unbalanced: [],
    days: [...days].sort().map((day) => ({ day, used: `${usedOn(model, day)}` })),
  };
}

function rowIn(life: Life): PaymentRow {
  const { id, status, dueAt, history: had, scaStatus: sca, failedAttempts: failed } = life;
  return { id, status, due: dueAt?.getTime() ?? null, had, sca, failed };
}

const credited = ({ order }: Life) => convert(order.amount, EUR, aspspProfile).minorUnits;

const sum = (lives: readonly Life[], of: (life: Life) => bigint) =>
  lives.reduce((total, life) => total + of(life), 0n);
