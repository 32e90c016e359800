import { setTimeout as sleep } from "node:timers/promises";
import type postgres from "postgres";
import type { coreFaults } from "@/drizzle/schema/ledger/psus";
import { type CoreBank, CustomerBlocked } from "@/lib/domain/core-bank";
import { UnavailableError } from "@/lib/domain/errors";
import { isUuid, type PaymentId, type PsuId } from "@/lib/domain/values";
import { ignoringOutages, outageRecorder } from "@/lib/outage";
import type { LedgerStatements } from "./database";

/** Of a PSU of a namespace, in minor units: while it has this payment limit the bank has blocked it in all channels. */
export const BLOCKED_PAYMENT_LIMIT_MINOR = 777_05n;

/** Whose core bank is asked: each is of one namespace at most. */
type About = { readonly customerId: PsuId } | { readonly paymentId: PaymentId };

/**
 * The core bank as the TPPs of the sandbox have set it for their namespaces: away, each call fails; slow, it waits
 * first; broken, it is done and its answer is lost. It rejects as a bank's own system does that cannot be used, and for a
 * PSU whom they have blocked with `CustomerBlocked`. Calls about all others go through.
 */
export function withCoreFaults(
  coreBank: CoreBank,
  database: LedgerStatements,
  slowMilliseconds: number,
): CoreBank {
  const through = async <Answer>(about: About, call: () => Promise<Answer>): Promise<Answer> => {
    const { fault, isBlocked } = await stateOf(database, about);
    if (fault === "away") throw outage("the core bank is away for this namespace");
    if (fault === "slow") await sleep(slowMilliseconds);
    if (isBlocked) throw new CustomerBlocked();
    const answer = await call();
    if (fault === "broken") throw outage("the core bank's answer is lost");
    return answer;
  };
  return {
    accountsOf: (customerId) => through({ customerId }, () => coreBank.accountsOf(customerId)),
    accounts: (asked) => through(asked, () => coreBank.accounts(asked)),
    balances: (asked, now) => through(asked, () => coreBank.balances(asked, now)),
    transactions: (query) => through(query, () => coreBank.transactions(query)),
    transaction: (account, id) => through(account, () => coreBank.transaction(account, id)),
    standingOrders: (account) => through(account, () => coreBank.standingOrders(account)),
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

type State = {
  readonly fault: (typeof coreFaults)[number] | null;
  /** Null where the call is about a payment: what was confirmed is executed and reported for a blocked PSU too. */
  readonly isBlocked: boolean | null;
};

const AS_ALL: State = { fault: null, isBlocked: null };

/** Read for each call, so that all servers agree. */
async function stateOf({ $client }: LedgerStatements, about: About): Promise<State> {
  const id = "paymentId" in about ? null : about.customerId;
  const customerId = id !== null && isUuid(id) ? id : null;
  const [row] = await $client.run(
    (sql) => sql<State[]>`
      select core_fault as fault, payment_limit_minor = ${String(BLOCKED_PAYMENT_LIMIT_MINOR)} as "isBlocked"
      from psu
      left join sandbox_namespace namespace on namespace.tpp_id = psu.tpp_id
      left join customer on customer.id = ${customerId}
      where psu.tpp_id is not null and psu.id in (${customersOf(sql, about)})
      limit 1`,
  );
  return row ?? AS_ALL;
}

function customersOf(sql: postgres.Sql, about: About): postgres.Fragment {
  if ("customerId" in about) return sql`${about.customerId}`;
  const { paymentId: id } = about;
  return sql`select psu_id from ledger_payment where id = ${isUuid(id) ? id : null}`;
}
