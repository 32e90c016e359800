/** The value of a JSON text; undefined for what is no JSON, which no schema accepts. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
