import type postgres from "postgres";
import { AISP, CBPII, granted, type Permission, PISP } from "@/clients/typescript/src";
import { askForFunds } from "@/e2e/harness/asking-for-funds";
import { bankDay, consentRequest } from "@/e2e/harness/consent-request";
import { ANA_CURRENT, paymentRequest } from "@/e2e/harness/payment-request";
import { heldConsent } from "@/e2e/harness/psu-by-forms";
import type { ServerSettings } from "@/e2e/harness/server";
import { type TestTpp, testTpp } from "@/e2e/harness/test-tpp";
import type { Call } from "./load";

/** As `--only` takes them, and as the table names them. */
export const titles = {
  accounts: "GET /v1/accounts",
  balances: "GET …/balances",
  transactions: "GET …/transactions (100 entries)",
  funds: "POST /v1/funds-confirmations",
  consents: "POST /v1/consents",
  payments: "POST /v1/payments/sepa-credit-transfers",
} as const;
export type RequestName = keyof typeof titles;

export type Requests = Awaited<ReturnType<typeof prepareRequests>>;

const REFRESH_MS = 8 * 60_000;
const fundsQuestion = {
  account: { iban: ANA_CURRENT },
  instructedAmount: { currency: "RON", amount: "10.00" },
};

/** With everything that the PSU has to authorise before. */
export async function prepareRequests(bank: ServerSettings, consents: number) {
  const tpp = await testTpp({ bank });
  const at = { redirectUri: tpp.redirectUri, webUrl: bank.webUrl };
  const toRead = { ...consentRequest(), access: { allPsd2: "allAccounts" } as const };
  const readable: { readonly show: () => Promise<Permission>; readonly account: string }[] = [];
  const checkable: (() => Promise<Permission>)[] = [];
  while (readable.length < consents) {
    const show = await heldConsent(await tpp.ask(toRead), at, REFRESH_MS);
    readable.push({ show, account: await accountOf(tpp, await show()) });
    checkable.push(await heldConsent(await askForFunds(tpp), at, REFRESH_MS));
  }
  const shown = ({ consentId, accessToken }: Permission) => {
    return { "consent-id": consentId, authorization: `Bearer ${accessToken}` };
  };
  const reads = (below: string) =>
    readable.map(async ({ show, account }): Promise<Call> => {
      const path = `${AISP}/accounts${below.replace("{account}", account)}`;
      return { method: "GET", path, headers: shown(await show()) };
    });
  const post = (path: string, body: object, headers: Call["headers"]): Call => {
    return { method: "POST", path, headers, body: JSON.stringify(body) };
  };
  const asked = { "psu-ip-address": "127.0.0.1", "tpp-redirect-uri": tpp.redirectUri };
  const calls = {
    accounts: () => reads(""),
    balances: () => reads("/{account}/balances"),
    transactions: () =>
      reads(`/{account}/transactions?bookingStatus=booked&dateFrom=${bankDay(-89)}`),
    funds: () =>
      checkable.map(async (show) =>
        post(`${CBPII}/v1/funds-confirmations`, fundsQuestion, shown(await show())),
      ),
    consents: () => [post(`${AISP}/consents`, consentRequest(), asked)],
    payments: () => [post(`${PISP}/payments/sepa-credit-transfers`, paymentRequest(), asked)],
  };
  return {
    tpp,
    /** One for each consent: what is counted for a consent is a row that its requests wait for. */
    calls: async (name: RequestName): Promise<readonly Call[]> => Promise.all(calls[name]()),
  };
}

/** Of ana's current account, whose id is another one in each consent. */
async function accountOf({ bank }: TestTpp, permission: Permission): Promise<string> {
  const { accounts } = granted(await bank.accounts(permission));
  const id = accounts.find(({ iban }) => iban === ANA_CURRENT)?.resourceId ?? "none";
  const query = { bookingStatus: "booked", dateFrom: bankDay(-89) } as const;
  const { transactions } = granted(await bank.transactions(permission, id, query));
  if (transactions.booked?.length !== 100) throw new Error("the account has no 100 entries");
  return id;
}

/**
 * Limits that a load would reach at once, each given back by a trigger in the bench's own database, for the product and
 * for the limit alike: what a request does for them takes place as ever.
 */
const lifted = [
  // Funds checks are saved up and come back slowly.
  ["funds_check_budget", "checks_left", "insert or update", "new.checks_left := 20;"],
  // Four reads a day without the PSU: each finds one before it, and that one falls out of the window.
  ["usage_window", "hits", "update", "new.hits := new.hits[cardinality(new.hits):];"],
  // Texts with codes that one PSU is sent in an hour.
  ["psu_text_budget", "sent", "insert or update", "new.sent := '{}';"],
  // Authorisations that one TPP may have open: none takes a slot.
  ["authorisation", "open_slot", "insert", "new.open_slot := null;"],
] as const;

/** No minute is written of what servers count; an addition in memory is left of it. */
const notCounted = [["request_minute", "requests", "insert", "return null;"]] as const;

/** What a checkout does not have needs no lifting. */
export async function liftLimits(database: postgres.Sql, without?: "measuring"): Promise<void> {
  const counted = without === "measuring" ? notCounted : [];
  for (const [table = "", column = "", when, change] of [...lifted, ...counted]) {
    const [found] = await database<{ name: string }[]>`
      select attrelid::regclass::text as name from pg_attribute join pg_class on oid = attrelid
      where relkind = 'r' and relname = ${table} and attname = ${column}`;
    if (found === undefined) continue;
    await database.unsafe(`
      create function bench_${table}() returns trigger language plpgsql as
        $$ begin ${change} return new; end $$;
      create trigger bench before ${when} on ${found.name}
        for each row execute function bench_${table}()`);
  }
}

/** What the server is measured without, too. */
export const withouts = ["events", "measuring"] as const;
export type Without = (typeof withouts)[number];

/** Whether anything is recorded of what requests change. */
export async function recordEvents(database: postgres.Sql, on: boolean): Promise<void> {
  const triggers = await database<{ text: string }[]>`
    select format(${`alter table %s ${on ? "enable" : "disable"} trigger %I`}, tgrelid::regclass, tgname) as text
    from pg_trigger where not tgisinternal and tgname ~ '_event$'`;
  if (triggers.length === 0) throw new Error("no trigger records events");
  await database.unsafe(triggers.map(({ text }) => text).join(";"));
}
