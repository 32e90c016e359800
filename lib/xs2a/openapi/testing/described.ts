import { routes } from "@/app/(xs2a)/routes";
import { aspspProfile } from "@/lib/domain/aspsp-profile";
import { openApi } from "../document";
import type { JsonSchema, Operation } from "../open-api";

export const bank = {
  profile: aspspProfile,
  sandbox: true,
  xs2aUrl: "https://bank.example",
  metadata: "https://bank.example/.well-known/oauth-authorization-server",
};

export const document = openApi(routes, bank);

export type Described = Operation & { readonly path: string; readonly method: string };

export const operations: readonly Described[] = Object.entries(document.paths).flatMap(
  ([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ ...operation, path, method })),
);

/** Where a schema stands in the document, as a pointer. */
type Placed = { readonly at: string; readonly schema: JsonSchema };

const LISTS = ["anyOf", "oneOf", "allOf"] as const;
const SINGLE = ["items", "additionalProperties", "propertyNames", "not"] as const;

/** A schema and all that are in it. */
export function schemasIn(schema: JsonSchema, at: string): readonly Placed[] {
  const properties = Object.entries(schema.properties ?? {});
  const lists = LISTS.flatMap((name) => (schema[name] ?? []).map((one) => [name, one] as const));
  const single = SINGLE.map((name) => [name, schema[name]] as const);
  const inner = [...properties, ...lists, ...single].flatMap(([name, one]) =>
    typeof one === "object" ? schemasIn(one, `${at}/${name}`) : [],
  );
  return [{ at, schema }, ...inner];
}

/** Every schema of the document. */
export function allSchemas(): readonly Placed[] {
  const { schemas, parameters, headers } = document.components;
  const shared = [
    ...Object.entries(schemas),
    ...Object.entries({ ...parameters, ...headers }).map(([name, { schema }]) => [name, schema]),
  ] as const;
  return [
    ...shared.flatMap(([name, schema]) => schemasIn(schema as JsonSchema, String(name))),
    ...operations.flatMap((operation) => schemasOf(operation)),
  ];
}

function schemasOf({ operationId, parameters, requestBody, responses }: Described) {
  const answers = Object.values(responses);
  const contents = [requestBody, ...answers].flatMap((part) => Object.values(part?.content ?? {}));
  const carried = [...parameters, ...answers.flatMap(({ headers }) => Object.values(headers))];
  const schemas = [
    ...contents.map(({ schema }) => schema),
    ...carried.flatMap((part) => ("schema" in part ? [part.schema] : [])),
  ];
  return schemas.flatMap((schema) => schemasIn(schema, operationId));
}
