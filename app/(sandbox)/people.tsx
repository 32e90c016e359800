import { ReflowingCell, ReflowingRow, ReflowingTable } from "@/components/reflowing-table";

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

type Props = { readonly labelledBy: string };

const columns = ["User ID", "Password", "What they have", "Text messages"] as const;

/** Who can sign in, and where their text messages arrive. */
export function SandboxPeople({ labelledBy }: Props) {
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
