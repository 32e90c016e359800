import type { OpenApi } from "@/lib/xs2a/openapi/open-api";
import { callsOf } from "@/lib/xs2a/openapi/reading";
import { anchor } from "./anchor";

/** What there is, by area. */
export function Contents({ api }: { readonly api: OpenApi }) {
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
