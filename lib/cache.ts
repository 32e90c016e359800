/**
 * The value made for this key before, or made now; a `make` that throws leaves nothing behind. Of
 * more than `entriesMax` the least recently used goes: a Map keeps the order of insertion.
 */
export function getOrCreate<Value>(
  cache: Map<string, Value>,
  key: string,
  entriesMax: number,
  make: () => Value,
): Value {
  const value = cache.get(key) ?? make();
  cache.delete(key);
  cache.set(key, value);
  if (cache.size > entriesMax) {
    const [oldest] = cache.keys();
    if (oldest !== undefined) cache.delete(oldest);
  }
  return value;
}

/** Looks when it is asked, and once in a turn of the event loop: whoever asks in the same turn is told the same. */
export function oncePerTurn<Value>(look: () => Value): () => Value {
  let seen: { readonly value: Value } | undefined;
  const forget = () => {
    seen = undefined;
  };
  return () => {
    if (seen === undefined) {
      seen = { value: look() };
      setImmediate(forget);
    }
    return seen.value;
  };
}
