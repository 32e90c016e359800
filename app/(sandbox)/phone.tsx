import { BankPage } from "@/components/page";
import { Card, Detail, Lead, Links, MessageBubble, Messages } from "@/components/text";
import type { Phone } from "@/lib/sandbox/phone";

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
      <Card>
        <h1>{heading}</h1>
        <Links>
          <a href={`/sandbox/phone?psu=${encodeURIComponent(psu.userId)}`}>Look for new messages</a>
          <a href="/">Sandbox</a>
        </Links>
        {messages.length === 0 && <Lead>No messages yet.</Lead>}
        <Messages>
          {messages.map((message) => (
            <li key={`${message.sentAt.toISOString()} ${message.text}`}>
              <MessageBubble text={message.text} />
              <Detail>
                {message.code !== undefined && (
                  <>
                    <strong>
                      <code>{message.code}</code>
                    </strong>{" "}
                  </>
                )}
                <time dateTime={message.sentAt.toISOString()}>{sentAt.format(message.sentAt)}</time>
              </Detail>
            </li>
          ))}
        </Messages>
      </Card>
    </BankPage>
  );
}
