import { rulesOf, typeOf } from "@/lib/xs2a/openapi/fields";
import type { Parameter } from "@/lib/xs2a/openapi/open-api";
import { FieldTable } from "./field-table";

type Props = { readonly caption: string; readonly parameters: readonly Parameter[] };

/** Headers and the parameters of path and query, in the form of fields. */
export function ParameterTable({ caption, parameters }: Props) {
  const fields = parameters.map(({ name, required, description, schema }) => {
    return { name, type: typeOf(schema), required, rules: rulesOf(schema), description };
  });
  return <FieldTable caption={caption} fields={fields} />;
}
