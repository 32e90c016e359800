import type { z } from "zod";

const shown = new WeakMap<z.core.$ZodType, z.core.$ZodType>();

/**
 * A form that is code to zod, or that has more than concerns the caller, together with the schema that
 * tells what it takes. Whatever the schema refuses the form has to refuse as well.
 */
export function shownAs<Form extends z.ZodType>(form: Form, schema: z.ZodType): Form {
  shown.set(form, schema);
  return form;
}

/** The schema to show in place of a form, if it is not the form itself. */
export function schemaShown(form: z.core.$ZodType): z.core.$ZodType | undefined {
  const { parent } = form._zod;
  return shown.get(form) ?? (parent && schemaShown(parent));
}
