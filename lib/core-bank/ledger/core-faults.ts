import { setTimeout as sleep } from "node:timers/promises";
import type postgres from "postgres";
import type { coreFaults } from "@/drizzle/schema/ledger/psus";
import type { CoreBank } from "@/lib/domain/core-bank";
import { UnavailableError } from "@/lib/domain/errors";
import { type AccountId, isUuid, type PaymentId, type PsuId } from "@/lib/domain/values";
import { ignoringOutages, outageRecorder } from "@/lib/outage";
import { type LedgerStatements, listOf } from "./database";

/** Whose core bank is asked: each is of one namespace at most. */
type About =
  | { readonly customerId: PsuId }
  | { readonly accountIds: readonly AccountId[] }
  | { readonly paymentId: PaymentId };

/**
 * The core bank as the TPPs of the sandbox have set it for their namespaces: away, each call fails; slow, it waits
 * first; broken, it is done and its answer is lost. It rejects as a bank's own system does that cannot be used.
 * Calls about all others go through.
 */
export function withCoreFaults(
  coreBank: CoreBank,
  database: LedgerStatements,
  slowMilliseconds: number,
): CoreBank {
  const through = async <Answer>(about: About, call: () => Promise<Answer>): Promise<Answer> => {
    const fault = await faultOf(database, about);
    if (fault === "away") throw outage("the core bank is away for this namespace");
    if (fault === "slow") await sleep(slowMilliseconds);
    const answer = await call();
    if (fault === "broken") throw outage("the core bank's answer is lost");
    return answer;
  };
  return {
    accountsOf: (customerId) => through({ customerId }, () => coreBank.accountsOf(customerId)),
    accounts: (ids) => through({ accountIds: ids }, () => coreBank.accounts(ids)),
    balances: (ids, now) => through({ accountIds: ids }, () => coreBank.balances(ids, now)),
    transactions: (query) =>
      through({ accountIds: [query.accountId] }, () => coreBank.transactions(query)),
    transaction: (accountId, id) =>
      through({ accountIds: [accountId] }, () => coreBank.transaction(accountId, id)),
    standingOrders: (accountId) =>
      through({ accountIds: [accountId] }, () => coreBank.standingOrders(accountId)),
    checkFunds: (question) => through(question, () => coreBank.checkFunds(question)),
    quotePayment: (question) => through(question, () => coreBank.quotePayment(question)),
    // One that is not submitted now, or not asked about before, waits in the outbox, and its PSU goes on.
    submitPayment: (submission) =>
      ignoringOutages(() => through(submission, () => coreBank.submitPayment(submission))),
    payment: (paymentId) =>
      ignoringOutages(() => through({ paymentId }, () => coreBank.payment(paymentId))),
    paymentChanges: coreBank.paymentChanges,
    limits: (customerId, now) => through({ customerId }, () => coreBank.limits(customerId, now)),
  };
}

function outage(why: string): UnavailableError {
  outageRecorder()();
  return new UnavailableError(why);
}

type Fault = (typeof coreFaults)[number];

/** Read for each call, so that all servers agree. */
async function faultOf({ $client }: LedgerStatements, about: About): Promise<Fault | undefined> {
  const [row] = await $client.run(
    (sql) => sql<{ readonly fault: Fault }[]>`
      select core_fault as fault from sandbox_namespace
      where core_fault is not null
        and tpp_id in (select psu.tpp_id from psu where psu.id in (${customersOf(sql, about)}))
      limit 1`,
  );
  return row?.fault;
}

function customersOf(sql: postgres.Sql, about: About): postgres.Fragment {
  if ("customerId" in about) return sql`${about.customerId}`;
  if ("paymentId" in about) {
    const { paymentId: id } = about;
    return sql`select psu_id from ledger_payment where id = ${isUuid(id) ? id : null}`;
  }
  const ids = listOf(about.accountIds.filter(isUuid));
  return sql`select customer_id::text from account_owner where account_id = any(${ids}::uuid[])`;
}
