import { dialects } from "./signature-corpus-dialects";
import { unsoundDigests } from "./signature-corpus-digests";
import { unsoundHeaders } from "./signature-corpus-headers";
import { unsoundKeys } from "./signature-corpus-keys";
import { wronglyMade } from "./signature-corpus-made";
import type { CorpusSignature } from "./signature-corpus-row";
import { wrongTexts } from "./signature-corpus-texts";

/** Signed requests good and bad by what they are about, each with its verdict. */
export const corpus: Readonly<Record<string, readonly CorpusSignature[]>> = {
  "a dialect of real clients passes": dialects,
  "S1 to S5, S9: what a signature covers, and how it is written": unsoundHeaders,
  "S6, S8: which key a signature is of": unsoundKeys,
  "S7: a digest that is not the body's": unsoundDigests,
  "a signature that does not verify": [...wrongTexts, ...wronglyMade],
};
