import {
  accessOf,
  answersOf,
  type Call,
  ownHeaders,
  ownParameters,
} from "@/lib/xs2a/openapi/reading";
import { codeAnchor } from "./anchor";
import { ParameterTable } from "./parameter-table";
import { SchemaTables } from "./schema-tables";

const places = { path: "In the path", query: "In the query", header: "Headers" } as const;

/** One call: who may make it, what goes in and what comes back. */
export function CallSection({ call }: { readonly call: Call }) {
  const { operationId, summary, method, path, requestBody } = call;
  const body = requestBody?.content["application/json"];
  const parameters = ownParameters(call);
  return (
    <section className="call" aria-labelledby={operationId}>
      <h3 id={operationId}>{summary}</h3>
      <p className="call-line">
        <strong>{method.toUpperCase()}</strong> <code>{path}</code>
      </p>
      <p>{whoMay(call)}</p>
      {Object.entries(places).map(([place, caption]) => (
        <ParameterTable
          key={place}
          caption={caption}
          parameters={parameters.filter((one) => one.in === place)}
        />
      ))}
      {body !== undefined && <SchemaTables caption="Body" schema={body.schema} />}
      <Answers call={call} />
    </section>
  );
}

function whoMay(call: Call): string {
  const { role, token, scope } = accessOf(call);
  if (token === "none") return `For a certificate with ${role}, without an access token.`;
  const must = token === "required" ? "with an access token" : "with or without an access token";
  return `For a certificate with ${role}, ${must} of the scope ${scope}.`;
}

function Answers({ call }: { readonly call: Call }) {
  const { granted, refused } = answersOf(call);
  return (
    <>
      {granted.map(([status, response]) => (
        <div key={status}>
          <h4>{`Answer ${status}`}</h4>
          <p>{response.description}</p>
          <ParameterTable
            caption="Headers"
            parameters={ownHeaders(response).map(([name, header]) => ({
              ...header,
              name,
              in: "header",
            }))}
          />
          {Object.values(response.content ?? {}).map(({ schema }) => (
            <SchemaTables key={status} caption="Body" schema={schema} />
          ))}
        </div>
      ))}
      <h4>Refusals</h4>
      <dl className="terms refusals">
        {refused.map(({ status, codes }) => (
          <div key={status} className="term">
            <dt>{status}</dt>
            <dd>
              {codes.map((code) => (
                <a key={code} className="code-link" href={`#${codeAnchor(code)}`}>
                  {code}
                </a>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}
