import type { JsonSchema } from "@/lib/xs2a/openapi/open-api";
import { wordsOf } from "@/lib/xs2a/openapi/reading";
import { codeAnchor, schemaAnchor } from "./anchor";
import { SchemaTables } from "./schema-tables";

type Props = { readonly schemas: Readonly<Record<string, JsonSchema>> };

/** What several calls share. */
export function NamedSchemas({ schemas }: Props) {
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
          <dt id={codeAnchor(String(word))}>{String(word)}</dt>
          <dd>{description}</dd>
        </div>
      ))}
    </dl>
  );
}
