import type { HeaderCircumstances } from "../circumstances";
import type { Declaration } from "../declaration";
import type { Form } from "../endpoint";
import { headerName } from "../header-names";
import { noPath, noQuery } from "../wire/path";
import { jsonSchemaOf, type Named } from "./json-schema";
import type { JsonSchema, Parameter } from "./open-api";
import { nameInPath } from "./path-names";

/** What a call says in its path, its query and its headers besides what every call says. */
export function parametersOf(
  { path, query, headers }: Pick<Declaration, "path" | "query" | "headers">,
  circumstances: HeaderCircumstances,
  named: Named,
): readonly Parameter[] {
  const members = (form: Form<unknown, HeaderCircumstances>) => {
    const schema = typeof form === "function" ? form(circumstances) : form;
    return membersOf(jsonSchemaOf(schema, "input", named));
  };
  return [
    ...(path === noPath ? [] : members(path)).map((member) => parameter("path", member)),
    ...(query === noQuery ? [] : members(query)).map((member) => parameter("query", member)),
    ...members(headers).map((member) => parameter("header", member)),
  ];
}

type Member = { readonly name: string; readonly required: boolean; readonly schema: JsonSchema };

/** The members of an object, or of the several that it has to be at once. */
function membersOf(object: JsonSchema): readonly Member[] {
  const { properties, required = [], allOf = [], ...rest } = object;
  if (properties === undefined && allOf.length === 0) {
    throw new Error(`parameters are the members of an object, not ${JSON.stringify(rest)}`);
  }
  const own = Object.entries(properties ?? {}).map(([name, schema]): Member => {
    return { name, schema, required: required.includes(name) };
  });
  return [...own, ...allOf.flatMap(membersOf)];
}

const nameIn = {
  header: headerName,
  path: nameInPath,
  query: (name: string) => name,
} as const satisfies Record<Parameter["in"], (name: string) => string>;

function parameter(place: Parameter["in"], { name, required, schema }: Member): Parameter {
  const { description, ...rule } = schema;
  if (description === undefined) throw new Error(`the ${place} parameter ${name} says nothing`);
  return {
    name: nameIn[place](name),
    in: place,
    required,
    description,
    schema: rule,
  };
}
