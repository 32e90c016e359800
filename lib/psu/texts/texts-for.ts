import { english } from "./english";
import type { Texts } from "./texts";

/** The PSU's language as far as we speak it; a second language is a second `Texts`, chosen here. */
export function textsFor(): Texts {
  return english;
}
