import { notFound } from "next/navigation";
import { api } from "@/app/(xs2a)/routes";
import { type MessageCode, messageCodes } from "@/lib/domain/errors";
import { services } from "@/lib/services";
import { errorHelp } from "@/lib/xs2a/error-help";
import { answersOf, callsOf } from "@/lib/xs2a/openapi/reading";
import { meaningOf, tppMessages } from "@/lib/xs2a/refusals";
import { DocsPage } from "../../../docs-page";

type Props = { readonly params: Promise<{ readonly code: string }> };

export default async function ErrorPage({ params }: Props) {
  const { code } = await params;
  if (!isCode(code)) notFound();
  const { toDo, text, path } = errorHelp[code];
  const fault = path === undefined ? { code, text } : { code, text, path };
  const answer = tppMessages([fault], services().links.errors);
  const { document } = api();
  const calls = document.tags
    .flatMap(({ name }) => callsOf(document, name))
    .filter((call) => answersOf(call).refused.some(({ codes }) => codes.includes(code)));
  return (
    <DocsPage title={code}>
      <p className="lead">{meaningOf[code]}</p>
      <dl className="terms">
        <dt>HTTP status</dt>
        <dd>{messageCodes[code].join(", ")}</dd>
        <dt>What to do</dt>
        <dd>{toDo}</dd>
      </dl>
      <h2>An answer with it</h2>
      <pre>
        <code>{`HTTP/1.1 ${messageCodes[code][0]}\n\n${JSON.stringify(answer, null, 2)}`}</code>
      </pre>
      {calls.length > 0 && <h2>Which calls answer so</h2>}
      <ul className="contents">
        {calls.map(({ operationId, summary }) => (
          <li key={operationId}>
            <a href={`/docs/reference#${operationId}`}>{summary}</a>
          </li>
        ))}
      </ul>
      <p>
        <a href="/docs/errors">All error codes</a>
      </p>
    </DocsPage>
  );
}

function isCode(text: string): text is MessageCode {
  return Object.hasOwn(messageCodes, text);
}
