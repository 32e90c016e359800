import { fieldsOf, formsOf } from "@/lib/xs2a/openapi/fields";
import type { JsonSchema } from "@/lib/xs2a/openapi/open-api";
import { FieldTable } from "./field-table";

type Props = { readonly caption: string; readonly schema: JsonSchema };

/** The fields of a body; of one that has several forms, a table for each. */
export function SchemaTables({ caption, schema }: Props) {
  const forms = formsOf(schema);
  return forms.map((form, at) => {
    const name = form.title ?? `form ${at + 1} of ${forms.length}`;
    const which = forms.length > 1 ? `${caption}: ${name}` : caption;
    return <FieldTable key={which} caption={which} fields={fieldsOf(form)} />;
  });
}
