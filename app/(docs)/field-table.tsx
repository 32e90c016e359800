import { Fragment } from "react";
import type { Field } from "@/lib/xs2a/openapi/fields";
import { schemaAnchor } from "./anchor";

type Props = { readonly caption: string; readonly fields: readonly Field[] };

/** Name, type, whether it has to be there, and its rule. Without fields there is nothing to show. */
export function FieldTable({ caption, fields }: Props) {
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
