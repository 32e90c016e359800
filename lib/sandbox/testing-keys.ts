import { makeRsaKeys } from "./key-pairs";

const PAIRS = 12;
const pairs: Promise<CryptoKeyPair>[] = [];
let handedOut = 0;

/**
 * Keys for the certificates of a test's TPP. To find the primes takes most of the time in which a TPP
 * is made, so that a dozen pairs go round in each process: of six TPPs in a row no two share a key, nor do
 * the two certificates of one.
 */
export function keysInTurn(): Promise<CryptoKeyPair> {
  const nth = handedOut % PAIRS;
  handedOut += 1;
  const pair = pairs[nth] ?? makeRsaKeys();
  pairs[nth] = pair;
  return pair;
}
