import type { z } from "zod";
import type { Circumstances } from "./circumstances";
import type { Form, FormByPath } from "./endpoint";

type ByPath = Map<string, z.ZodType>;

/** To make a schema costs a hundred times as much as to use it. They go with their circumstances. */
const made = new WeakMap<Circumstances, Map<unknown, ByPath>>();

/** What a form is under these circumstances. */
export function schemaOf<Value, Given extends Circumstances>(
  form: Form<Value, Given>,
  circumstances: Given,
): z.ZodType<Value> {
  if (typeof form !== "function") return form;
  return remembered(form, circumstances, "every path", () => form(circumstances));
}

/** The same of a body. Its path has been parsed, so there are as many as its form has `paths`. */
export function bodySchemaOf<Path, Value>(
  form: Form<Value> | FormByPath<Path, Value>,
  circumstances: Circumstances,
  path: Path,
): z.ZodType<Value> {
  if (!("paths" in form)) return schemaOf(form, circumstances);
  return remembered(form, circumstances, JSON.stringify(path), () => form(circumstances, path));
}

function remembered<Value>(
  form: unknown,
  circumstances: Circumstances,
  path: string,
  make: () => z.ZodType<Value>,
): z.ZodType<Value> {
  const forms = made.get(circumstances) ?? new Map<unknown, ByPath>();
  made.set(circumstances, forms);
  const byPath = forms.get(form) ?? new Map<string, z.ZodType>();
  forms.set(form, byPath);
  const schema = byPath.get(path) ?? make();
  byPath.set(path, schema);
  return schema as z.ZodType<Value>;
}
