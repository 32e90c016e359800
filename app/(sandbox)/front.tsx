import { BankPage } from "@/components/page";
import { ReflowingCell, ReflowingRow, ReflowingTable } from "@/components/table";
import { Card, Detail, Lead, Term, Terms } from "@/components/text";
import { config } from "@/lib/config";
import { pageLanguage } from "@/lib/psu/language";
import type { Language } from "@/lib/psu/texts/formats";

type Props = {
  readonly bankName: string;
  readonly webUrl: string;
  readonly xs2aUrl: string;
  /** Whether TPPs have people of their own: those are in the embedded ledger. */
  readonly hasNamespaces: boolean;
};

export function SandboxFront({ bankName, webUrl, xs2aUrl, hasNamespaces }: Props) {
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
        <p>
          The <a href="/sandbox/tpp">demo TPP</a> reads accounts, pays and asks for funds, and shows
          each request that it sends. Or run one in another terminal; it prints an address to open
          in this browser.
        </p>
        <pre>
          <code>npm run tpp -- accounts</code>
        </pre>
        <h2>Why was that refused?</h2>
        <p>
          The <a href="/sandbox/workshop">TPP workshop</a> makes certificates, good and bad, and
          explains a request step by step as the bank sees it.
        </p>
        <p>
          <a href="/sandbox/notifications">Notifications</a> shows what TPPs are told of changes of
          status, and sends it again.
        </p>
        <h2 id="customers">Demo customers</h2>
        <SandboxPeople labelledBy="customers" />
        {hasNamespaces && (
          <p>
            A TPP makes people and accounts of its own at <code>{`${xs2aUrl}/sandbox/api/v1`}</code>
            , or by <a href="/sandbox/namespace">a form</a>.{" "}
            <a href="/sandbox/magic-values">Magic values</a> make payments fail, wait and be slow.
          </p>
        )}
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
              <a href="/docs">Guides</a>, <a href="/docs/reference">the API, call by call</a>
            </Detail>
          </Term>
        </Terms>
      </Card>
    </BankPage>
  );
}

/** The demo bank's customers; there are no secrets in a sandbox. */
const people = [
  { userId: "ana", about: "A current account, RON, EUR and USD, a joint account with Elena" },
  {
    userId: "mihai",
    about: "One account with 37.40 RON and 500.00 overdraft; pays at most 1,000.00 EUR at once",
  },
  { userId: "elena", about: "A joint account with Ana, a company account, a blocked one" },
  { userId: "dan", about: "Only savings, so nothing to share" },
  { userId: "vlad", about: "One account with some RON, to try passkeys with" },
] as const;

type PeopleProps = { readonly labelledBy: string };

const columns = ["User ID", "Password", "What they have", "Text messages"] as const;

/** Who can sign in, and where their text messages arrive. */
function SandboxPeople({ labelledBy }: PeopleProps) {
  const [userIds, passwords, accounts, phones] = columns;
  return (
    <ReflowingTable labelledBy={labelledBy} columns={columns}>
      {people.map(({ userId, about }) => (
        <ReflowingRow key={userId}>
          <ReflowingCell label={userIds} short>
            <strong>{userId}</strong>
          </ReflowingCell>
          <ReflowingCell label={passwords} short>
            <code>{`${userId}-sandbox`}</code>
          </ReflowingCell>
          <ReflowingCell label={accounts}>{about}</ReflowingCell>
          <ReflowingCell label={phones} short>
            <a href={`/sandbox/phone?psu=${userId}`} aria-label={`Phone of ${userId}`}>
              Phone
            </a>
            {" · "}
            <a href={`/sandbox/messages?psu=${userId}`} aria-label={`JSON of ${userId}`}>
              JSON
            </a>
          </ReflowingCell>
        </ReflowingRow>
      ))}
    </ReflowingTable>
  );
}

/** The sandbox is for developers, and speaks English only. At a real bank customers come by here. */
export async function frontLanguage(): Promise<Language> {
  return config().SANDBOX ? "en" : pageLanguage();
}
