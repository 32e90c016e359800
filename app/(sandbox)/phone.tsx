import { BankPage } from "@/components/bank-page";
import type { Phone } from "./phone-of";

type Props = {
  readonly bank: { readonly name: string; readonly timeZone: string };
  readonly phone: Phone;
};

/** Stands in for the phone in the PSU's pocket. */
export function SandboxPhone({ bank, phone: { psu, messages } }: Props) {
  const heading = `Phone of ${psu.name}`;
  const sentAt = new Intl.DateTimeFormat("en-GB", {
    dateStyle: "medium",
    timeStyle: "medium",
    timeZone: bank.timeZone,
  });
  return (
    <BankPage title={`${heading} - ${bank.name}`} bankName={bank.name} place="Sandbox">
      <div className="card phone">
        <h1>{heading}</h1>
        <p className="by-the-code">
          <a href={`/sandbox/phone?psu=${encodeURIComponent(psu.userId)}`}>Look for new messages</a>
          <a href="/">Sandbox</a>
        </p>
        {messages.length === 0 && <p className="lead">No messages yet.</p>}
        <ol className="messages">
          {messages.map((message) => (
            <li key={`${message.sentAt.toISOString()} ${message.code}`}>
              <p className="message">{message.text}</p>
              <p className="detail">
                <strong className="code">{message.code}</strong>{" "}
                <time dateTime={message.sentAt.toISOString()}>{sentAt.format(message.sentAt)}</time>
              </p>
            </li>
          ))}
        </ol>
      </div>
    </BankPage>
  );
}
