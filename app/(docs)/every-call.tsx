import type { OpenApi } from "@/lib/xs2a/openapi/open-api";
import { ParameterTable } from "./parameter-table";

const asked = { certificate: "Certificate", signature: "Signature", token: "Access token" };

/** What holds for all of them, said once. */
export function EveryCall({ api: { components } }: { readonly api: OpenApi }) {
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
    </section>
  );
}
