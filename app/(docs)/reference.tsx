import { Fragment } from "react";
import type { OpenApi } from "@/lib/xs2a/openapi/document";
import type { JsonSchema, Parameter } from "@/lib/xs2a/openapi/open-api";
import {
  accessOf,
  answersOf,
  type Call,
  callsOf,
  type Field,
  fieldsOf,
  formsOf,
  ownHeaders,
  ownParameters,
  rulesOf,
  typeOf,
  wordsOf,
} from "@/lib/xs2a/openapi/reading";
import { sampleRequest, samplesOf, setupsOf } from "@/lib/xs2a/openapi/samples";

type ReferenceProps = {
  readonly api: OpenApi;
  /** Of the PSU in the examples. */
  readonly accounts: Parameters<typeof sampleRequest>[1];
};

/** The description of the API for people; what it says is what `/openapi.json` says. */
export function Reference({ api, accounts }: ReferenceProps) {
  const [server] = api.servers;
  const xs2aUrl = String(server?.url);
  const file = `${xs2aUrl}/openapi.json`;
  return (
    <>
      <p className="lead">{`${api.info.summary} ${api.info.description}`}</p>
      <dl className="terms">
        <dt>Version</dt>
        <dd>{api.info.version}</dd>
        <dt>{server?.description}</dt>
        <dd>
          <code>{server?.url}</code>
        </dd>
        <dt>For machines</dt>
        <dd>
          <a href={file}>{file}</a>
          <span className="detail">OpenAPI 3.1, without a client certificate</span>
        </dd>
        <dt>Access tokens</dt>
        <dd>
          <a href={api.externalDocs.url}>{api.externalDocs.url}</a>
          <span className="detail">{api.externalDocs.description}</span>
        </dd>
      </dl>
      <Contents api={api} />
      <EveryCall api={api} xs2aUrl={xs2aUrl} />
      {api.tags.map(({ name, description }) => (
        <section key={name} aria-labelledby={anchor(name)}>
          <h2 id={anchor(name)}>{name}</h2>
          <p>{description}</p>
          {callsOf(api, name).map((call) => (
            <CallSection key={call.operationId} {...{ call, accounts, xs2aUrl }} />
          ))}
        </section>
      ))}
      <NamedSchemas schemas={api.components.schemas} />
    </>
  );
}

/** What there is, by area. */
function Contents({ api }: { readonly api: OpenApi }) {
  return (
    <nav aria-label="Contents">
      <ul className="contents">
        <li>
          <a href="#every-call">Every call</a>
        </li>
        {api.tags.map(({ name }) => (
          <li key={name}>
            <a href={`#${anchor(name)}`}>{name}</a>
            <ul>
              {callsOf(api, name).map(({ operationId, summary }) => (
                <li key={operationId}>
                  <a href={`#${operationId}`}>{summary}</a>
                </li>
              ))}
            </ul>
          </li>
        ))}
        <li>
          <a href="#schemas">Types and codes</a>
        </li>
      </ul>
    </nav>
  );
}

const asked = { certificate: "Certificate", signature: "Signature", token: "Access token" };

type EveryCallProps = { readonly api: OpenApi; readonly xs2aUrl: string };

/** What holds for all of them, said once. */
function EveryCall({ api: { components }, xs2aUrl }: EveryCallProps) {
  const schemes = Object.entries(asked).flatMap(([name, title]) => {
    const scheme = components.securitySchemes[name];
    return scheme === undefined ? [] : [{ title, ...scheme }];
  });
  const answered = Object.entries(components.headers).map(([name, header]) => {
    return { ...header, name, in: "header" as const };
  });
  return (
    <section aria-labelledby="every-call">
      <h2 id="every-call">Every call</h2>
      <dl className="terms">
        {schemes.map(({ title, description }) => (
          <div key={title} className="term">
            <dt>{title}</dt>
            <dd>{description}</dd>
          </div>
        ))}
      </dl>
      <ParameterTable
        caption="Headers of every call"
        parameters={Object.values(components.parameters)}
      />
      <ParameterTable caption="Headers of every answer" parameters={answered} />
      <h3 id="examples">Examples</h3>
      <p>
        Each call that is granted has one in four languages. Words in capital letters, such as{" "}
        <code>CONSENT_ID</code>, stand for what the bank or the PSU has told before. With curl,{" "}
        <code>qwac</code> and <code>sign</code> are those of{" "}
        <a href="/docs/tpp">With curl, step by step</a>; the other languages begin with:
      </p>
      <Samples id="setup" title="Before examples in" samples={setupsOf(xs2aUrl, "/tmp/my-tpp")} />
    </section>
  );
}

const places = { path: "In the path", query: "In the query", header: "Headers" } as const;

type SamplesProps = {
  readonly id: string;
  readonly title: string;
  readonly samples: ReturnType<typeof setupsOf>;
};

function Samples({ id, title, samples }: SamplesProps) {
  return samples.map(({ language, code }) => (
    <details key={language}>
      <summary className="cursor-pointer py-1">{`${title} ${language}`}</summary>
      <pre id={`${id}-${language}`}>
        <code>{code}</code>
      </pre>
    </details>
  ));
}

type CallProps = Pick<ReferenceProps, "accounts"> & {
  readonly call: Call;
  readonly xs2aUrl: string;
};

/** One call: who may make it, what goes in and what comes back. */
function CallSection({ call, accounts, xs2aUrl }: CallProps) {
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
      {answersOf(call).granted.length > 0 && (
        <Samples
          id={operationId}
          title="Example in"
          samples={samplesOf(sampleRequest(call, accounts), xs2aUrl)}
        />
      )}
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
                <a key={code} className="code-link" href={`/docs/errors/${code}`}>
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

type Props = { readonly schemas: Readonly<Record<string, JsonSchema>> };

/** What several calls share. */
function NamedSchemas({ schemas }: Props) {
  return (
    <section aria-labelledby="schemas">
      <h2 id="schemas">Types and codes</h2>
      {Object.entries(schemas).map(([name, schema]) => (
        <section key={name} className="call" aria-labelledby={schemaAnchor(name)}>
          <h3 id={schemaAnchor(name)}>{name}</h3>
          <p>{schema.description}</p>
          {wordsOf(schema).length > 0 ? (
            <Words words={wordsOf(schema)} />
          ) : (
            <SchemaTables caption="Fields" schema={schema} />
          )}
        </section>
      ))}
    </section>
  );
}

function Words({ words }: { readonly words: readonly JsonSchema[] }) {
  return (
    <dl className="terms words">
      {words.map(({ const: word, description }) => (
        <div key={String(word)} className="term">
          <dt>{String(word)}</dt>
          <dd>{description}</dd>
        </div>
      ))}
    </dl>
  );
}

type SchemaTablesProps = { readonly caption: string; readonly schema: JsonSchema };

/** The fields of a body; of one that has several forms, a table for each. */
function SchemaTables({ caption, schema }: SchemaTablesProps) {
  const forms = formsOf(schema);
  return forms.map((form, at) => {
    const name = form.title ?? `form ${at + 1} of ${forms.length}`;
    const which = forms.length > 1 ? `${caption}: ${name}` : caption;
    return <FieldTable key={which} caption={which} fields={fieldsOf(form)} />;
  });
}

type ParameterTableProps = { readonly caption: string; readonly parameters: readonly Parameter[] };

/** Headers and the parameters of path and query, in the form of fields. */
function ParameterTable({ caption, parameters }: ParameterTableProps) {
  const fields = parameters.map(({ name, required, description, schema }) => {
    return { name, type: typeOf(schema), required, rules: rulesOf(schema), description };
  });
  return <FieldTable caption={caption} fields={fields} />;
}

type FieldTableProps = { readonly caption: string; readonly fields: readonly Field[] };

/** Name, type, whether it has to be there, and its rule. Without fields there is nothing to show. */
function FieldTable({ caption, fields }: FieldTableProps) {
  if (fields.length === 0) return null;
  return (
    <table className="fields">
      <caption>{caption}</caption>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Type</th>
          <th scope="col">Required</th>
          <th scope="col">Rule</th>
        </tr>
      </thead>
      <tbody>
        {fields.map((field, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: forms repeat names, and never change their order
          <tr key={at}>
            <th scope="row">
              <code>
                <Name name={field.name} />
              </code>
            </th>
            <td>
              <Type field={field} />
            </td>
            <td>{field.required ? "yes" : "no"}</td>
            <td>
              {field.description}
              {field.rules.map((rule) => (
                <span key={rule} className="detail">
                  {rule}
                </span>
              ))}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A long name breaks where one member of it ends. */
function Name({ name }: { readonly name: string }) {
  const [first, ...members] = name.split(".");
  return (
    <>
      {first}
      {members.map((member, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: members repeat, and never change their order
        <Fragment key={at}>
          <wbr />.{member}
        </Fragment>
      ))}
    </>
  );
}

function Type({ field: { type, named } }: { readonly field: Field }) {
  return named === undefined ? type : <a href={`#${schemaAnchor(named)}`}>{type}</a>;
}

/** `Account information` as `account-information`. */
function anchor(name: string): string {
  return name.toLowerCase().replaceAll(" ", "-");
}

const schemaAnchor = (name: string) => `schema-${name}`;
