import type { Ports } from "../ports";
import type { Tpp } from "./tpp";

type Met = {
  readonly tpp: Tpp;
  /** As this bank had it on record when the request arrived. */
  readonly knownTpp?: Tpp | undefined;
  readonly now: Date;
};

/**
 * Makes the TPP known as its certificate names it: there is no other registration. One that is on record
 * like that is left alone, which is nearly every one; it is never removed.
 */
export async function meetTpp(
  { tppRegister }: Pick<Ports, "tppRegister">,
  { tpp, knownTpp, now }: Met,
): Promise<void> {
  if (knownTpp === undefined || !isSame(tpp, knownTpp)) await tppRegister.remember(tpp, now);
}

function isSame(one: Tpp, other: Tpp): boolean {
  return (
    one.id === other.id &&
    one.name === other.name &&
    one.authorityName === other.authorityName &&
    one.authorityId === other.authorityId &&
    one.roles.join() === other.roles.join()
  );
}
