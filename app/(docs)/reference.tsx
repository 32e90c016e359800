import type { OpenApi } from "@/lib/xs2a/openapi/open-api";
import { callsOf } from "@/lib/xs2a/openapi/reading";
import { anchor } from "./anchor";
import { CallSection } from "./call-section";
import { Contents } from "./contents";
import { EveryCall } from "./every-call";
import { NamedSchemas } from "./named-schemas";

/** The description of the API for people; what it says is what `/openapi.json` says. */
export function Reference({ api }: { readonly api: OpenApi }) {
  const [server] = api.servers;
  const file = `${server?.url}/openapi.json`;
  return (
    <div className="card reference">
      <h1>{api.info.title}</h1>
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
      <EveryCall api={api} />
      {api.tags.map(({ name, description }) => (
        <section key={name} aria-labelledby={anchor(name)}>
          <h2 id={anchor(name)}>{name}</h2>
          <p>{description}</p>
          {callsOf(api, name).map((call) => (
            <CallSection key={call.operationId} call={call} />
          ))}
        </section>
      ))}
      <NamedSchemas schemas={api.components.schemas} />
    </div>
  );
}
