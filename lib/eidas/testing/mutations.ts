import fc from "fast-check";

type Mutation = { readonly at: number; readonly removed: number; readonly inserted: string };

const anyBytes = fc
  .uint8Array({ maxLength: 4 })
  .map((bytes) => Buffer.from(bytes).toString("latin1"));

/** One to three changes of a few characters each, at random places. */
export function mutations(inserted: fc.Arbitrary<string> = anyBytes) {
  const mutation = fc.record({ at: fc.nat(5_000), removed: fc.nat(4), inserted });
  return fc.array(mutation, { minLength: 1, maxLength: 3 });
}

export function mutateText(text: string, changes: readonly Mutation[]): string {
  return changes.reduce((before, { at, removed, inserted }) => {
    const place = at % (before.length + 1);
    return before.slice(0, place) + inserted + before.slice(place + removed);
  }, text);
}

export function mutate(bytes: Uint8Array, changes: readonly Mutation[]): Uint8Array {
  return Buffer.from(mutateText(Buffer.from(bytes).toString("latin1"), changes), "latin1");
}
