import { transactionStatusMeanings } from "@/clients/typescript/src/payments";
import { Button, ButtonLink } from "@/components/button";
import { DayChart } from "@/components/day-chart";
import { ReflowingCell, ReflowingRow, ReflowingTable } from "@/components/table";
import { GroupItem, Lead, Part, Term, Terms } from "@/components/text";
import { isUnderWay } from "@/lib/sandbox/demo-tpp";
import type { DemoAccount, Visit } from "@/lib/sandbox/demo-tpp-visits";

const LATEST = 10;
const titles = {
  accounts: "Your accounts, as the TPP sees them",
  funds: "Are the funds there?",
  payment: "The payment’s life",
} as const;

/** What came of the last thing that was asked for in this browser. */
export function Outcome({ visit }: { readonly visit: Visit }) {
  const { kind, refusal, authorisation, accounts = [], fundsAvailable, statuses = [] } = visit;
  return (
    <Part id="outcome" heading={titles[kind]}>
      {refusal !== undefined && (
        <pre role="alert">
          <code>{refusal}</code>
        </pre>
      )}
      {authorisation !== undefined && (
        <>
          <Lead>The bank waits for the PSU’s authorisation.</Lead>
          <p className="mt-4">
            <ButtonLink href={authorisation.url}>Go on at the bank</ButtonLink>
          </p>
        </>
      )}
      {accounts.map((account) => (
        <AccountView key={`${account.iban} ${account.currency}`} account={account} />
      ))}
      {fundsAvailable !== undefined && (
        <Lead>{fundsAvailable ? "Yes, they are available." : "No, they are not available."}</Lead>
      )}
      {statuses.length > 0 && <Statuses statuses={statuses} />}
      {kind === "payment" && isUnderWay(visit) && authorisation === undefined && (
        <form method="post" action="/sandbox/tpp/again" className="mt-4">
          <Button>Ask for the status again</Button>
        </form>
      )}
    </Part>
  );
}

function AccountView({ account }: { readonly account: DemoAccount }) {
  const { iban, currency, name, balances, transactions } = account;
  const id = `account-${iban}-${currency}`;
  return (
    <GroupItem id={id} heading={`${name ?? "Account"} ${iban} ${currency}`}>
      <Terms>
        {balances.map(({ balanceType, balanceAmount }) => (
          <Term key={balanceType} label={balanceType}>
            {`${balanceAmount.amount} ${balanceAmount.currency}`}
          </Term>
        ))}
      </Terms>
      {transactions.length > 0 && (
        <>
          <DayChart
            label={`Paid by day from ${iban}, in ${currency}`}
            unit={currency}
            digits={2}
            days={paidByDay(account)}
          />
          <Transactions id={id} transactions={transactions.slice(0, LATEST)} />
        </>
      )}
    </GroupItem>
  );
}

/** Numbers, since only a picture is made of them. */
function paidByDay({ transactions }: DemoAccount) {
  const sums = new Map<string, number>();
  for (const { bookingDate, transactionAmount } of transactions) {
    if (bookingDate === undefined) continue;
    const paid = Math.max(0, -Number(transactionAmount.amount));
    sums.set(bookingDate, (sums.get(bookingDate) ?? 0) + paid);
  }
  return [...sums]
    .map(([day, value]) => ({ day, value }))
    .toSorted((one, other) => (one.day < other.day ? -1 : 1));
}

type TransactionsProps = Pick<DemoAccount, "transactions"> & { readonly id: string };

const columns = ["Day", "Amount", "Other side", "Remittance"] as const;

function Transactions({ id, transactions }: TransactionsProps) {
  const [day, amount, other, remittance] = columns;
  return (
    <ReflowingTable labelledBy={id} columns={columns}>
      {transactions.map((entry, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: entries may be alike, and never change their order
        <ReflowingRow key={at}>
          <ReflowingCell label={day} short>
            {entry.bookingDate}
          </ReflowingCell>
          <ReflowingCell label={amount} short>
            {`${entry.transactionAmount.amount} ${entry.transactionAmount.currency}`}
          </ReflowingCell>
          <ReflowingCell label={other}>{entry.creditorName ?? entry.debtorName}</ReflowingCell>
          <ReflowingCell label={remittance}>
            {entry.remittanceInformationUnstructured}
          </ReflowingCell>
        </ReflowingRow>
      ))}
    </ReflowingTable>
  );
}

function Statuses({ statuses }: { readonly statuses: NonNullable<Visit["statuses"]> }) {
  return (
    <Terms>
      {statuses.map(({ at, status }) => (
        <Term key={`${at} ${status}`} label={status}>
          {transactionStatusMeanings[status] ?? status}, <time dateTime={at}>{at}</time>
        </Term>
      ))}
    </Terms>
  );
}
