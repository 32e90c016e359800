import { expect } from "vitest";
import type { Access } from "../account-access/granted-account";
import { readTransactions } from "../account-access/read-transactions";
import type { AccountConsent } from "../consent/account-consent";
import type { TransactionCursor } from "../core-bank";
import type { IsoDate } from "../iso-date";
import { inMemoryBank } from "./in-memory-bank";
import { now, validConsent } from "./samples";

export const access = (consent: AccountConsent, at = now): Access => ({
  consent,
  now: at,
  attended: true,
});
export const resourceIdOf = (consent: AccountConsent) => {
  const [first] = consent.grantedAccounts;
  if (first === undefined) throw new Error("nothing granted");
  return first.resourceId;
};
export const refused = (status: number, code: string) => ({ status, faults: [{ code }] });

export async function opened(rights = { balances: true, transactions: true, ownerName: false }) {
  const house = inMemoryBank();
  const consent = await validConsent(house, { access: { model: "global", rights, named: [] } });
  return { ...house, consent, resourceId: resourceIdOf(consent) };
}

export async function report(
  { ports, consent, resourceId }: Awaited<ReturnType<typeof opened>>,
  asked: {
    dateFrom?: string;
    dateTo?: string;
    bookingStatus?: "booked" | "information" | "all";
    after?: TransactionCursor;
  },
  at = now,
) {
  const { content } = await readTransactions(ports, access(consent, at), {
    resourceId,
    bookingStatus: asked.bookingStatus ?? "booked",
    ...(asked.dateFrom === undefined ? {} : { dateFrom: asked.dateFrom as IsoDate }),
    ...(asked.dateTo === undefined ? {} : { dateTo: asked.dateTo as IsoDate }),
    ...(asked.after === undefined ? {} : { after: asked.after }),
  });
  return content;
}

export async function readAll(house: Awaited<ReturnType<typeof opened>>) {
  const ids: string[] = [];
  let page = await report(house, { dateFrom: "2026-11-01" });
  let days = page.entries.map(({ day }) => day);
  ids.push(...page.entries.map(({ id }) => id));
  while (page.next !== undefined) {
    page = await report(house, { dateFrom: "2026-11-01", after: page.next });
    ids.push(...page.entries.map(({ id }) => id));
    days = [...days, ...page.entries.map(({ day }) => day)];
  }
  expect(days).toEqual([...days].sort().reverse());
  return ids;
}
