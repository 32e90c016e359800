import { randomUUID } from "node:crypto";
import {
  comparesFunds,
  confirmsFunds,
  findsEntry,
  hasBalances,
  hasDecimals,
  keepsEntriesApart,
  listsAccounts,
  listsStandingOrders,
  looksUpAccounts,
  pagesOnce,
  refusesAccount,
  refusesCursor,
  refusesMalformed,
  refusesOthersAccount,
  refusesOthersFunds,
  reportsWhatIsAskedFor,
  separatesCustomers,
  tellsLimits,
} from "./account-rules";
import {
  Broken,
  type Check,
  type CheckedRule,
  type Finding,
  type KitSettings,
  NotChecked,
  newKit,
  PARALLEL_SUBMISSIONS,
} from "./kit";
import {
  agreesOnTime,
  conflicts,
  countsLimits,
  feedsChanges,
  goesForward,
  knowsPayment,
  pagesUnderWrites,
  quotes,
  refusesBlocked,
  refusesOthersQuote,
  rejects,
  submitsOnce,
  survivesRestart,
} from "./payment-rules";

/** Checks the rules one after the other and yields each as soon as it is decided. */
export async function* checkCoreBank(settings: KitSettings): AsyncGenerator<CheckedRule> {
  const kit = newKit(settings);
  try {
    const { only = "" } = settings;
    for (const [rule, check] of rules.filter(([words]) => words.includes(only))) {
      yield { rule, ...(await findingOf(() => check(kit, settings))) };
    }
  } finally {
    await kit.close();
  }
}

async function findingOf(check: () => Promise<string>): Promise<Finding> {
  try {
    return { result: "kept", came: await check() };
  } catch (error) {
    if (error instanceof NotChecked) return { result: "not checked", because: error.message };
    if (error instanceof Broken) {
      return { result: "broken", expected: error.expected, came: error.came };
    }
    const came = error instanceof Error ? error.message : String(error);
    return { result: "broken", expected: "an answer", came };
  }
}

const rules: readonly (readonly [rule: string, check: Check])[] = [
  ["each customer's payment accounts are listed", listsAccounts],
  [
    "an unknown customer is unknown-customer",
    (kit) =>
      kit.refusedAs("unknown-customer", "listAccounts", {
        path: { customerId: `no ${randomUUID()}` },
      }),
  ],
  ["one customer's accounts are not another's, unless they own them together", separatesCustomers],
  ["accounts are looked up by id, as they are listed, and unknown ones left out", looksUpAccounts],
  ["each account that is asked for has its three balances, in its currency", hasBalances],
  ["amounts have as many decimals as ISO 4217 gives their currency", hasDecimals],
  ["pages together hold every entry once, newest first", pagesOnce],
  [
    "a report holds the entries of the status and the days that were asked for",
    reportsWhatIsAskedFor,
  ],
  ["an entry is found by its id, as the report showed it", findsEntry],
  ["an entry of another account is unknown-transaction", keepsEntriesApart],
  ["pages of a report do not move while entries are written", pagesUnderWrites],
  ["a cursor or a position that the core bank has not made is expired-cursor", refusesCursor],
  ["an unknown account is unknown-account", refusesAccount],
  ["an account of another customer is unknown-account", refusesOthersAccount],
  ["standing orders are listed", listsStandingOrders],
  ["the smallest amount is confirmed, and one that is out of reach is not", confirmsFunds],
  ["funds are compared in the account's currency, for any currency or not at all", comparesFunds],
  ["funds of another customer's account are not confirmed", refusesOthersFunds],
  ["a quote says what the payment would take, and changes nothing", quotes],
  ["a quote for another customer's account is refused", refusesOthersQuote],
  [
    "a customer whom the bank has blocked is customer-blocked, wherever one is named",
    refusesBlocked,
  ],
  ["limits of the own channels are told", tellsLimits],
  [`${PARALLEL_SUBMISSIONS} submissions of one payment at once execute it once`, submitsOnce],
  ["a payment sent again and another body under its id, a conflict, change nothing", conflicts],
  ["a payment out of reach is rejected with a reason, and enters nothing", rejects],
  ["a payment is known by its id, and an unknown one is unknown-payment", knowsPayment],
  ["a status never goes backwards", goesForward],
  ["the feed names each payment that has changed, in the order of the changes", feedsChanges],
  ["the day's limit counts what was paid", countsLimits],
  ["a request that the contract does not know is malformed-request", refusesMalformed],
  ["its clock is ours, by half a minute", agreesOnTime],
  ["after a restart nothing is forgotten", survivesRestart],
];
