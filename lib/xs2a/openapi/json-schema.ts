import { z } from "zod";
import { schemaShown } from "../wire/shown-as";
import type { JsonSchema } from "./open-api";

/** The schemas that have a name of their own, as they are come across. */
export type Named = Map<string, JsonSchema>;

/**
 * A schema of the traffic as JSON Schema: of a request as it comes in, of an answer as it leaves.
 * Throws for a rule that has no such form, unless `shownAs` names another schema for it.
 */
export function jsonSchemaOf(form: z.ZodType, io: "input" | "output", named: Named): JsonSchema {
  return converted(form, io, named);
}

function converted(form: z.core.$ZodType, io: "input" | "output", named: Named): JsonSchema {
  const {
    $schema: _,
    $defs,
    ...schema
  } = z.toJSONSchema(form, {
    target: "draft-2020-12",
    io,
    override: ({ zodSchema, jsonSchema }) => {
      const shown = schemaShown(zodSchema);
      if (shown !== undefined && shown !== zodSchema) {
        Object.assign(jsonSchema, converted(shown, io, named));
      }
    },
  });
  for (const [name, definition] of Object.entries($defs ?? {})) add(named, name, tidy(definition));
  return tidy(schema);
}

function add(named: Named, name: string, schema: JsonSchema): void {
  const known = named.get(name);
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema)) {
    throw new Error(`two schemas have the name ${name}`);
  }
  named.set(name, schema);
}

/**
 * References as OpenAPI has them, and without two things that zod says and nobody needs to read: the
 * bounds of a double, and the members that an object may not have anyway.
 */
function tidy(schema: unknown): JsonSchema {
  const text = JSON.stringify(schema, (key, value: unknown) => {
    if (key === "$ref") return String(value).replace("#/$defs/", "#/components/schemas/");
    if (key === "maximum" && value === Number.MAX_SAFE_INTEGER) return undefined;
    if (key === "minimum" && value === Number.MIN_SAFE_INTEGER) return undefined;
    return key === "properties" ? possible(value as Record<string, JsonSchema>) : value;
  });
  return JSON.parse(text) as JsonSchema;
}

/** A member named `properties` would be an object of schemas as well, and is looked at in the same way. */
function possible(properties: Readonly<Record<string, JsonSchema>>) {
  const entries = Object.entries(properties);
  return Object.fromEntries(entries.filter(([, { not }]) => JSON.stringify(not) !== "{}"));
}
