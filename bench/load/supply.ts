import { seal } from "@/tpp/signing";
import type { Expected, Load } from "./orders";
import { type Shot, shot } from "./shot";

export type Supply = {
  readonly next: () => Supplied;
  /** How many were not signed before. */
  readonly signedOnTheWay: () => number;
};

type Supplied = { readonly bytes: Shot["bytes"]; readonly expected: Expected };

/** Signing costs more than sending, so most of it is done before anything is measured. */
export function supplyOf({ seal: pair, calls, signedBefore, again }: Load): Supply {
  const sealing = seal(pair.pem, pair.key);
  let made = 0;
  const sign = (): Supplied => {
    const next = calls[made % calls.length];
    if (next === undefined) throw new Error("there is nothing to call");
    made += 1;
    return { bytes: shot(sealing, next.call).bytes, expected: next.expected };
  };
  const signed = Array.from({ length: signedBefore }, sign);
  let used = 0;
  const next = () => {
    const place = again ? used % signed.length : used;
    used += 1;
    const kept = signed[place];
    return kept ?? sign();
  };
  return { next, signedOnTheWay: () => made - signedBefore };
}
