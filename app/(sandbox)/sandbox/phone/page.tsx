import { notFound } from "next/navigation";
import { BankPage } from "@/components/page";
import { Card, Detail, Lead, Links, MessageBubble, Messages } from "@/components/text";
import { type Phone, phoneOf } from "@/lib/sandbox/phone";
import { services } from "@/lib/services";

type Props = { readonly searchParams: Promise<{ readonly psu?: string | string[] }> };

export default async function PhonePage({ searchParams }: Props) {
  const ours = services();
  const phone = await phoneOf(ours, (await searchParams).psu);
  if (phone === undefined) notFound();
  return <SandboxPhone bank={ours.profile} phone={phone} />;
}

type PhoneProps = {
  readonly bank: { readonly name: string; readonly timeZone: string };
  readonly phone: Phone;
};

/** Stands in for the phone in the PSU's pocket. */
function SandboxPhone({ bank, phone: { psu, messages } }: PhoneProps) {
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
