import { notFound } from "next/navigation";
import { BankPage } from "@/components/page";
import { ReflowingCell, ReflowingRow, ReflowingTable } from "@/components/table";
import { formatAmount, type TppId } from "@/lib/domain/values";
import { callForms } from "@/lib/sandbox/api/forms";
import { DEMO_TPP } from "@/lib/sandbox/demo-tpp";
import { services } from "@/lib/services";
import { CallForm } from "./call-form";

type Props = { readonly searchParams: Promise<{ readonly call?: string | readonly string[] }> };

/** The namespace of the demo TPP: what is there, and a form for each call that changes it. */
export default async function NamespacePage({ searchParams }: Props) {
  const { namespaces, sandboxClock, profile } = services();
  if (namespaces === undefined || sandboxClock === undefined) notFound();
  const { call: asked = callForms[0]?.operationId } = await searchParams;
  const call = callForms.find(({ operationId }) => operationId === asked);
  if (call === undefined) notFound();
  const tppId = DEMO_TPP.id as string as TppId;
  const [psus, accounts, coreBank, now] = await Promise.all([
    namespaces.psus(tppId),
    namespaces.accounts(tppId),
    namespaces.coreBankState(tppId),
    sandboxClock.now(tppId),
  ]);
  const known = {
    psuId: psus.map(({ id, userId }) => [id, userId] as const),
    accountId: accounts.map(({ id, iban, currency }) => [id, `${iban} ${currency}`] as const),
  };
  return (
    <BankPage title={`Own people - ${profile.name}`} bankName={profile.name} place="Sandbox">
      <div className="card">
        <h1>People and accounts of a TPP’s own</h1>
        <p className="lead">
          Of {DEMO_TPP.name} ({DEMO_TPP.id}) here; your TPP sends the same calls over mutual TLS to{" "}
          <code>/sandbox/api/v1</code>. <a href="/">Sandbox</a>
        </p>
        <h2 id="accounts">What is there</h2>
        <p>
          The core bank is {coreBank}. PSUs: {psus.length}. Accounts: {accounts.length}. It is{" "}
          {now.toISOString()}.
        </p>
        {accounts.length > 0 && <Accounts psus={psus} accounts={accounts} />}
        <h2>Calls</h2>
        <ul>
          {callForms.map(({ operationId, summary }) => (
            <li key={operationId}>
              <a
                href={`/sandbox/namespace?call=${operationId}`}
                aria-current={operationId === call.operationId ? "page" : undefined}
              >
                {summary}
              </a>
            </li>
          ))}
        </ul>
        <h2>{call.summary}</h2>
        <p>
          <code>{call.request}</code>
        </p>
        <CallForm call={call} known={known} />
      </div>
    </BankPage>
  );
}

type Namespaces = NonNullable<ReturnType<typeof services>["namespaces"]>;
type AccountsProps = {
  readonly psus: Awaited<ReturnType<Namespaces["psus"]>>;
  readonly accounts: Awaited<ReturnType<Namespaces["accounts"]>>;
};

const columns = ["Account", "Booked", "Owners"] as const;

function Accounts({ psus, accounts }: AccountsProps) {
  const names = new Map(psus.map(({ id, userId }) => [id, userId]));
  const [account, booked, owners] = columns;
  return (
    <ReflowingTable labelledBy="accounts" columns={columns}>
      {accounts.map(({ id, iban, currency, bookedMinor, owners: theirs }) => (
        <ReflowingRow key={id}>
          <ReflowingCell label={account}>{iban}</ReflowingCell>
          <ReflowingCell label={booked} short>
            {formatAmount(bookedMinor)} {currency}
          </ReflowingCell>
          <ReflowingCell label={owners}>
            {theirs.map((owner) => names.get(owner.id)).join(", ")}
          </ReflowingCell>
        </ReflowingRow>
      ))}
    </ReflowingTable>
  );
}
