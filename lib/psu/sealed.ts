import { decode, encode } from "next-auth/jwt";
import type { z } from "zod";

/** What a sealed text is for: a text sealed for one purpose opens for no other. */
export type Purpose =
  | `new-passkey ${string}`
  | "own-session"
  | "unlock-challenge"
  | "unlocked"
  | `own-outcome ${string}`
  | "psu-session"
  | `psu-outcome ${string}`
  | "psu-way-back"
  | "psu-departure";

/**
 * Encrypts and authenticates, in next-auth's session format (JWE, A256GCM). The seconds are real
 * ones, as those of a cookie are, and open nothing: what a sealed text points at is a row, and rows
 * are judged by the bank's clock.
 */
export function seal(
  secret: string,
  purpose: Purpose,
  content: Readonly<Record<string, unknown>>,
  seconds: number,
): Promise<string> {
  return encode({ token: content, secret, salt: purpose, maxAge: seconds });
}

/** The content, or undefined for anything that this house has not sealed for this purpose. */
export async function unseal<Content>(
  secret: string,
  purpose: Purpose,
  text: string | undefined,
  schema: z.ZodType<Content>,
): Promise<Content | undefined> {
  if (text === undefined) return undefined;
  try {
    const content = await decode({ token: text, secret, salt: purpose });
    return schema.safeParse(content).data;
  } catch {
    // Foreign, altered and outdated texts are all the same: not ours.
    return undefined;
  }
}
