import { createHash, createHmac, randomInt, timingSafeEqual } from "node:crypto";
import type { OneTimeCodes, TextMessage } from "@/lib/domain/sca/one-time-codes";

/** Hands a message to the PSU's phone; false when it could not be handed over. */
export type Deliver = (message: TextMessage) => Promise<boolean>;

type Means = { readonly secret: string; readonly deliver: Deliver };

/** `secret` keys the fingerprints: whoever reads the database alone cannot try out all codes. */
export function oneTimeCodes({ secret, deliver }: Means): OneTimeCodes {
  return {
    // Digit by digit, so that each is uniform and leading zeros stay.
    create: (digits) => Array.from({ length: digits }, () => randomInt(10)).join(""),
    fingerprint: (text) => fingerprintOf(text, secret),
    equal: (one, other) => timingSafeEqual(digest(one), digest(other)),
    send: deliver,
  };
}

export function fingerprintOf(text: string, secret: string): string {
  return createHmac("sha256", secret).update(text).digest("base64url");
}

/** timingSafeEqual wants equal lengths; digests have them whatever the texts are. */
function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
