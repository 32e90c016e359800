/**
 * The cached value of this key, or a new one; a `make` that throws caches nothing. Above `entriesMax` the
 * least recently used is evicted: a Map keeps the order of insertion.
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

/** Reads at most once in a turn of the event loop: all calls in the same turn get the same value. */
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
