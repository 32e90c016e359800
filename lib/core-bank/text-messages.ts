import { createHash, createHmac, randomInt, timingSafeEqual } from "node:crypto";
import type { OneTimeCodes, TextMessage } from "@/lib/domain/psu";
import { secretsIn } from "@/lib/secrets";

type SmsGateway = {
  readonly url: string;
  /** Sent as a bearer token (RFC 6750 2.1), for a gateway that wants to know who asks. */
  readonly token?: string | undefined;
  readonly millisecondsMax: number;
  /** Called with why a message could not be delivered, and nothing of the message. */
  readonly onFault: (fault: SmsFault) => void;
};

/** An HTTP status, or a word or code of the system's, as in `ECONNREFUSED`. */
export type SmsFault = { readonly fault: number | string };

/**
 * A gateway that sends text messages: one POST of `{ "to": psuId, "text" }`; it knows the PSU's
 * number. Anything but a 2xx within the time is a failure. There is no second try: a gateway that
 * answers late would send the code twice, and the PSU can ask for a new one.
 */
export function smsGateway({ url, token, millisecondsMax, onFault }: SmsGateway): Deliver {
  return async ({ psuId, text }) => {
    try {
      const response = await fetch(url, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
        },
        body: JSON.stringify({ to: psuId, text }),
        // A code goes to the gateway that is configured and to nobody it points at.
        redirect: "manual",
        signal: AbortSignal.timeout(millisecondsMax),
      });
      if (!response.ok) onFault({ fault: response.status });
      // The status says it all; the body is not waited for.
      response.body?.cancel().catch(() => undefined);
      return response.ok;
    } catch (error) {
      onFault({ fault: nameOf(error) });
      return false;
    }
  };
}

/** Not the message: it may repeat the address. */
function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const { cause } = error;
  if (typeof cause === "object" && cause !== null && "code" in cause) return String(cause.code);
  return error.name;
}

/** Sends a message to the PSU's phone; false when it could not be sent. */
type Deliver = (message: TextMessage) => Promise<boolean>;

type Delivery = { readonly secret: string; readonly deliver: Deliver };

/** `secret`, one or several, keys the fingerprints: with the database alone nobody can try out all codes. */
export function oneTimeCodes({ secret, deliver }: Delivery): OneTimeCodes {
  const fingerprints = (text: string) => fingerprintsOf(text, secret);
  return {
    // Digit by digit, so that each is uniform and leading zeros stay.
    create: (digits) => Array.from({ length: digits }, () => randomInt(10)).join(""),
    fingerprint: (text) => fingerprints(text)[0],
    fingerprints,
    matches: (text, kept) =>
      fingerprints(text).some((one) => timingSafeEqual(digest(one), digest(kept))),
    send: deliver,
  };
}

/** By each of the secrets, in their order. */
export function fingerprintsOf(text: string, secrets: string): readonly [string, ...string[]] {
  const by = (secret: string) => createHmac("sha256", secret).update(text).digest("base64url");
  const [first, ...more] = secretsIn(secrets);
  return [by(first), ...more.map(by)];
}

/** timingSafeEqual wants equal lengths; digests have them whatever the texts are. */
function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
