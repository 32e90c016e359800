import { headers } from "next/headers";
import { notFound } from "next/navigation";
import { Button } from "@/components/button";
import { TextField } from "@/components/form";
import { BankPage } from "@/components/page";
import { Card, Lead, Links, Part } from "@/components/text";
import { demoQwac } from "@/lib/sandbox/demo-tpp";
import { visitOf } from "@/lib/sandbox/serve-demo-tpp";
import { services } from "@/lib/services";
import { Exchanges } from "./exchanges";
import { Outcome } from "./outcome";

/** A TPP to try the bank with, and beside it everything that it sends. */
export default async function DemoTppPage() {
  const ours = services();
  if (!ours.config.SANDBOX) notFound();
  const { name, features } = ours.profile;
  // Not before: with the profile of a bank that runs no sandbox there may be no such accounts.
  const { demoAccounts, ownIban } = await import("@/lib/sandbox/demo-bank-people");
  const [current, travel] = [demoAccounts.anaCurrent, demoAccounts.travelEur];
  const visit = await visitOf(ours, (await headers()).get("cookie"));
  return (
    <BankPage title={`Demo TPP - ${name}`} bankName={name} place="Sandbox" width="console">
      <div className="grid gap-6 min-[64rem]:grid-cols-2">
        <Card>
          <h1>Demo TPP</h1>
          <Lead>
            A TPP in this sandbox, with certificates of its own. It calls {ours.config.XS2A_URL}{" "}
            over mutual TLS, and sends you to the bank to authorise what it asks for: sign in as ana
            with ana-sandbox; the code is on <a href="/sandbox/phone?psu=ana">ana’s phone</a>.
          </Lead>
          {visit !== undefined && <Outcome visit={visit} />}
          <Choices
            current={ownIban(current.number)}
            travel={ownIban(travel.number)}
            offersFunds={features.fundsConfirmation}
          />
          <Links>
            <a href="/sandbox/workshop">TPP workshop</a>
            <a href="/docs">Guides</a>, <a href="/docs/reference">the API, call by call</a>
            <a href="/">Sandbox</a>
          </Links>
        </Card>
        <Card>
          <h2>What it has sent</h2>
          {visit === undefined ? (
            <Lead>Nothing yet.</Lead>
          ) : (
            <Exchanges exchanges={visit.exchanges} qwac={await demoQwac(ours)} />
          )}
        </Card>
      </div>
    </BankPage>
  );
}

type ChoicesProps = {
  /** IBANs of ana's accounts. */
  readonly current: string;
  readonly travel: string;
  readonly offersFunds: boolean;
};

/** What the demo TPP can be asked for; what is no amount or IBAN the bank says. */
function Choices({ current, travel, offersFunds }: ChoicesProps) {
  return (
    <>
      <Part id="accounts" heading="Account information">
        <Choice kind="accounts" button="Read accounts" fields={[]} />
      </Part>
      <Part id="payment" heading="Payment">
        <Choice
          kind="payment"
          button="Pay"
          fields={[
            ["iban", "From (IBAN)", travel],
            ["amount", "Amount in EUR", "12.50"],
            ["to", "To (IBAN)", "DE89370400440532013000"],
            ["name", "Payee", "Bakery"],
          ]}
        />
      </Part>
      {offersFunds && (
        <Part id="funds" heading="Confirmation of funds">
          <Choice
            kind="funds"
            button="Ask for funds"
            fields={[
              ["iban", "Account (IBAN)", current],
              ["amount", "Amount", "100"],
              ["currency", "Currency", "RON"],
            ]}
          />
        </Part>
      )}
    </>
  );
}

type ChoiceProps = {
  readonly kind: string;
  readonly button: string;
  readonly fields: readonly (readonly [name: string, label: string, value: string | undefined])[];
};

function Choice({ kind, button, fields }: ChoiceProps) {
  return (
    <form method="post" action="/sandbox/tpp/start">
      <input type="hidden" name="kind" value={kind} />
      {fields.map(([name, label, value]) => (
        <TextField
          key={name}
          id={`${kind}-${name}`}
          label={label}
          fault={undefined}
          input={{ name, defaultValue: value, autoComplete: "off", maxLength: 100 }}
        />
      ))}
      <p className="mt-4">
        <Button>{button}</Button>
      </p>
    </form>
  );
}
