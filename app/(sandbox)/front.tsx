import { BankPage } from "@/components/bank-page";
import { Card } from "@/components/card";
import { Detail } from "@/components/detail";
import { Lead } from "@/components/lead";
import { Term, Terms } from "@/components/terms";
import { SandboxPeople } from "./people";

type Props = {
  readonly bankName: string;
  readonly webUrl: string;
  readonly xs2aUrl: string;
};

/** What is running, and everything there is to see. */
export function SandboxFront({ bankName, webUrl, xs2aUrl }: Props) {
  const metadata = `${xs2aUrl}/.well-known/oauth-authorization-server`;
  return (
    <BankPage title={`Sandbox - ${bankName}`} bankName={bankName} place="Sandbox">
      <Card>
        <h1>The sandbox is running</h1>
        <Lead>
          {bankName} is a demo bank behind a PSD2 interface. TPPs with a qualified certificate read
          accounts here, and only with the consent of the customers below.
        </Lead>
        <h2>See it work</h2>
        <p>In another terminal, run a TPP. It prints an address to open in this browser.</p>
        <pre>
          <code>npm run tpp -- accounts</code>
        </pre>
        <h2>Why was that refused?</h2>
        <p>
          The <a href="/sandbox/workshop">TPP workshop</a> makes certificates, good and bad, and
          explains a request step by step as the bank sees it.
        </p>
        <h2 id="customers">Demo customers</h2>
        <SandboxPeople labelledBy="customers" />
        <h2>What was shared</h2>
        <p>
          Customers see who may read their accounts, who has read what, and end it at{" "}
          <a href="/permissions">their permissions</a>.
        </p>
        <h2>Time</h2>
        <p>
          Consents, codes and tokens end by <a href="/sandbox/clock">the sandbox’s clock</a>. Move
          it, and set it back with <code>DELETE</code>:
        </p>
        <pre>
          <code>
            {`curl -X PUT -H 'Content-Type: application/json' -d '{ "advance": "P180D" }' ${webUrl}/sandbox/clock`}
          </code>
        </pre>
        <h2>Addresses</h2>
        <Terms>
          <Term label="For browsers">
            <code>{webUrl}</code>
          </Term>
          <Term label="For TPPs">
            <code>{xs2aUrl}</code>
            <Detail>
              Mutual TLS with a certificate of the sandbox CA: your browser will warn you.
            </Detail>
          </Term>
          <Term label="OAuth metadata">
            <a href={metadata}>{metadata}</a>
          </Term>
          <Term label="API">
            <code>{`${xs2aUrl}/open-banking/v3.1/aisp/v1`}</code>
            <Detail>
              <a href="/docs">The API, call by call</a>
            </Detail>
          </Term>
        </Terms>
      </Card>
    </BankPage>
  );
}
