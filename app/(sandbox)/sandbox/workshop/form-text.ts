/** Whatever calls an action by itself may hand over anything; what is no form is one without fields. */
export function formOf(sent: unknown): FormData {
  return sent instanceof FormData ? sent : new FormData();
}

/** A field's text; a file in its place, or nothing at all, counts as empty. */
export function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}
