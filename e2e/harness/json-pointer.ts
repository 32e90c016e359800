/** RFC 6901, with the references of OpenAPI: `#/components/…` within one document. */
export type Pointer = string;

export function child(pointer: Pointer, ...names: readonly string[]): Pointer {
  return [pointer, ...names.map((name) => name.replace(/~/g, "~0").replace(/\//g, "~1"))].join("/");
}

export function at(document: unknown, pointer: Pointer): unknown {
  const names = pointer.split("/").slice(1);
  return names.reduce<unknown>((value, name) => {
    const key = name.replace(/~1/g, "/").replace(/~0/g, "~");
    return typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
  }, document);
}

/** Where the value is that a `$ref` at this place means; the place itself where there is none. */
export function meant(document: unknown, pointer: Pointer): Pointer {
  const value = at(document, pointer);
  const reference =
    typeof value === "object" && value !== null ? Reflect.get(value, "$ref") : undefined;
  return typeof reference === "string" ? meant(document, reference.slice(1)) : pointer;
}

export function keys(document: unknown, pointer: Pointer): readonly string[] {
  const value = at(document, pointer);
  return typeof value === "object" && value !== null ? Object.keys(value) : [];
}
