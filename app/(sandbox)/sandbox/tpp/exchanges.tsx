import type { X509Certificate } from "node:crypto";
import { Links, Term, Terms } from "@/components/text";
import type { RecordedExchange } from "@/lib/sandbox/demo-tpp-visits";
import { signingStringOf } from "@/lib/sandbox/exchange-examples";

type Props = { readonly exchanges: readonly RecordedExchange[]; readonly qwac: X509Certificate };

/** Every exchange as it was sent, newest first. */
export function Exchanges({ exchanges, qwac }: Props) {
  return (
    <ol reversed className="mt-4 grid gap-3">
      {exchanges
        .map((exchange, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an exchange keeps its place
          <li key={at}>
            <details>
              <summary className="cursor-pointer py-1 wrap-anywhere">
                <code>{titleOf(exchange)}</code>
              </summary>
              <ExchangeView exchange={exchange} qwac={qwac} />
            </details>
            <Links>
              {["curl", "TypeScript", "Python", "Java"].map((language) => (
                <a key={language} href={`/sandbox/tpp/exchanges/${at + 1}#${language}`}>
                  {`Copy as ${language}`}
                </a>
              ))}
              <a href={`/sandbox/tpp/exchanges/${at + 1}#explain`}>Explain</a>
            </Links>
          </li>
        ))
        .toReversed()}
    </ol>
  );
}

export function titleOf({ method, url, status, milliseconds }: RecordedExchange): string {
  const { pathname, search } = new URL(url);
  return `${method} ${pathname}${search} ${status}, ${milliseconds} ms`;
}

type ViewProps = { readonly exchange: RecordedExchange; readonly qwac: X509Certificate };

export function ExchangeView({ exchange, qwac }: ViewProps) {
  const signingString = signingStringOf(exchange);
  return (
    <Terms>
      <Term label="Sent at">
        <time dateTime={exchange.at}>{exchange.at}</time>
      </Term>
      <Term label="Certificate">
        {`QWAC ${qwac.serialNumber}: ${qwac.subject.replaceAll("\n", ", ")}`}
      </Term>
      {signingString !== undefined && <Text label="Signing string" text={signingString} />}
      <Text label="Headers" text={lines(exchange.headers)} />
      {exchange.body !== "" && <Text label="Body" text={exchange.body} />}
      <Text label="Answer" text={`${exchange.status}\n${lines(exchange.replyHeaders)}`} />
      {exchange.replyBody !== "" && <Text label="Its body" text={exchange.replyBody} />}
    </Terms>
  );
}

function lines(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");
}

function Text({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <Term label={label}>
      <pre>
        <code>{text}</code>
      </pre>
    </Term>
  );
}
