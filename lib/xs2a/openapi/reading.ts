import type {
  Header,
  JsonSchema,
  OpenApi,
  Operation,
  Parameter,
  Reference,
  Response,
} from "./open-api";

export type Call = Operation & { readonly method: string; readonly path: string };

/** The calls of one area, in the order of the document. */
export function callsOf({ paths }: OpenApi, tag: string): readonly Call[] {
  return Object.entries(paths)
    .flatMap(([path, item]) =>
      Object.entries(item).map(([method, one]): Call => ({ ...one, method, path })),
    )
    .filter(({ tags }) => tags.includes(tag));
}

/** What a call has that not every call has. */
export function ownParameters({ parameters }: Operation): readonly Parameter[] {
  return parameters.filter((one): one is Parameter => "in" in one);
}

export function ownHeaders({ headers }: Response): readonly (readonly [string, Header])[] {
  return Object.entries(headers).filter((entry): entry is [string, Header] => !isShared(entry[1]));
}

function isShared(part: Header | Reference): part is Reference {
  return "$ref" in part;
}

/** Who may call: the PSD2 role, and whether with a token and of which scope. */
export function accessOf({ security }: Operation) {
  const scopes = security.flatMap((one) => one["token"] ?? []);
  const optional = security.some((one) => !("token" in one));
  const token = scopes.length === 0 ? "none" : optional ? "optional" : "required";
  return { role: security[0]?.["certificate"]?.[0], token, scope: scopes[0] } as const;
}

/** Refusals by status with their codes, and the one answer that is none. */
export function answersOf({ responses }: Operation) {
  const all = Object.entries(responses);
  const granted = all.filter(([status]) => status < "300");
  const refused = all.flatMap(([status, { content }]) => {
    const codes = content?.["application/json"]?.schema.properties?.["tppMessages"]?.items;
    return status < "300" ? [] : [{ status, codes: codes?.properties?.["code"]?.enum ?? [] }];
  });
  return { granted, refused };
}

/** Schemas whose forms are single values, each with its meaning: a list of words. */
export function wordsOf(schema: JsonSchema): readonly JsonSchema[] {
  const forms = schema.anyOf ?? [];
  return forms.every((form) => form.const !== undefined) ? forms : [];
}
