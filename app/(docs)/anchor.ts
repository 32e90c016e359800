/** `Account information` as `account-information`. */
export function anchor(name: string): string {
  return name.toLowerCase().replaceAll(" ", "-");
}

/** Where a schema with a name, or a code, is told. */
export const schemaAnchor = (name: string) => `schema-${name}`;
export const codeAnchor = (code: string) => `code-${code}`;
