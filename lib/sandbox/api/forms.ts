import { Rejection } from "@/lib/domain/errors";
import { admitTpp } from "@/lib/domain/request-context";
import type { TppId } from "@/lib/domain/values";
import type { JsonSchema } from "@/lib/xs2a/openapi/open-api";
import { jsonSchemaOf, membersOf } from "@/lib/xs2a/openapi/operation";
import type { AnyOperation, InSandbox } from "./declaration";
import { operations } from "./operations";
import { runOperation } from "./serve";

export type FormField = {
  /** Of a member of a member with a dot between their names. */
  readonly name: string;
  readonly hint: string;
  readonly isRequired: boolean;
  readonly value: string;
  /** Where only these are possible. */
  readonly choices?: readonly string[] | undefined;
};

/** A call of the sandbox API as a form, with a field for each value in its path and body. */
export type CallForm = {
  readonly operationId: string;
  readonly summary: string;
  /** Method and path, as a TPP sends it. */
  readonly request: string;
  readonly fields: readonly FormField[];
};

type Call = {
  readonly declared: AnyOperation;
  readonly request: string;
  readonly path: JsonSchema;
  readonly body: JsonSchema | undefined;
};

const schemaOf = (schema: AnyOperation["path"]) => jsonSchemaOf(schema, "input", new Map());

const calls: readonly Call[] = Object.entries(operations).flatMap(([path, methods]) =>
  Object.entries<AnyOperation>(methods).map(([method, declared]) => ({
    declared,
    request: `${method} ${path}`,
    path: schemaOf(declared.path),
    body: declared.body && schemaOf(declared.body),
  })),
);

/** Made of the schemas that the calls are checked with. */
export const callForms: readonly CallForm[] = calls.map(({ declared, request, path, body }) => ({
  operationId: declared.operationId,
  summary: declared.summary,
  request,
  fields: [...fieldsOf(path), ...(body === undefined ? [] : fieldsOf(body))],
}));

function fieldsOf(object: JsonSchema, within = ""): readonly FormField[] {
  return membersOf(object).flatMap(({ name: own, required, schema }): readonly FormField[] => {
    const name = `${within}${own}`;
    if (schema.properties !== undefined) return fieldsOf(schema, `${name}.`);
    const {
      description,
      enum: choices,
      default: value = choices?.[0],
    } = schema.anyOf?.[0] ?? schema;
    const isRequired = required && !isNullable(schema);
    const hint = [description, ...(isRequired ? [] : ["May be left empty."])];
    return [
      {
        ...{ name, isRequired, choices },
        hint: hint.filter((part) => part !== undefined).join(" "),
        value: value === undefined ? "" : String(value),
      },
    ];
  });
}

function isNullable({ anyOf = [] }: JsonSchema): boolean {
  return anyOf.some(({ type }) => type === "null");
}

type Filled = {
  readonly operationId: string;
  /** What is in the field of this name. */
  readonly inField: (name: string) => string;
};

/** A call as a person has filled it in, for a TPP that is known; the answer, or why it is refused, as text. */
export async function callInWords(
  { operationId, inField }: Filled,
  tppId: TppId,
  services: InSandbox,
): Promise<string> {
  const call = calls.find(({ declared }) => declared.operationId === operationId);
  if (call === undefined) return "There is no such call.";
  const { declared, path, body } = call;
  const segments = membersOf(path).map(({ name }) => [name, inField(name).trim()] as const);
  const text = body === undefined ? "" : JSON.stringify(valuesOf(body, inField));
  const sent = { segments: Object.fromEntries(segments), bytes: Buffer.from(text) };
  try {
    await admitTpp(services, tppId, await services.clock.now());
    const now = await services.clock.now(tppId);
    return JSON.stringify(await runOperation(declared, { tppId, now, ...sent }, services), null, 2);
  } catch (error) {
    if (error instanceof Rejection) return error.message;
    throw error;
  }
}

/** The body that the fields make; what is left empty is left out. */
function valuesOf(object: JsonSchema, inField: Filled["inField"], within = ""): object {
  const members = membersOf(object).flatMap(({ name: own, schema }): [string, unknown][] => {
    const name = `${within}${own}`;
    if (schema.properties !== undefined) return [[own, valuesOf(schema, inField, `${name}.`)]];
    const text = inField(name).trim();
    if (text === "") return isNullable(schema) ? [[own, null]] : [];
    return [[own, schema.type === "integer" ? Number(text) : text]];
  });
  return Object.fromEntries(members);
}
