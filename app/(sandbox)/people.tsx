/** The demo bank's customers; there are no secrets in a sandbox. */
const people = [
  { userId: "ana", about: "A current account, RON, EUR and USD, a joint account with Elena" },
  {
    userId: "mihai",
    about: "One account with 37.40 RON and 500.00 overdraft; pays at most 1,000.00 EUR at once",
  },
  { userId: "elena", about: "A joint account with Ana, a company account, a blocked one" },
  { userId: "dan", about: "Only savings, so nothing to share" },
] as const;

/** Who can sign in, and where their text messages arrive. */
export function SandboxPeople() {
  return (
    <div className="table">
      <table>
        <thead>
          <tr>
            <th scope="col">User ID</th>
            <th scope="col">Password</th>
            <th scope="col">What they have</th>
            <th scope="col">Text messages</th>
          </tr>
        </thead>
        <tbody>
          {people.map(({ userId, about }) => (
            <tr key={userId}>
              <th scope="row">{userId}</th>
              <td>
                <code>{`${userId}-sandbox`}</code>
              </td>
              <td>{about}</td>
              <td>
                <a href={`/sandbox/phone?psu=${userId}`} aria-label={`Phone of ${userId}`}>
                  Phone
                </a>
                {" · "}
                <a href={`/sandbox/messages?psu=${userId}`} aria-label={`JSON of ${userId}`}>
                  JSON
                </a>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
