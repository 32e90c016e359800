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
