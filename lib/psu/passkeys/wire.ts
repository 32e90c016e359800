import { z } from "zod";
import type { PasskeyAssertion, PasskeyRegistration } from "@/lib/domain/passkeys/passkey";

const base64url = (charactersMax: number) =>
  z
    .string()
    .min(1)
    .max(charactersMax)
    .regex(/^[\w-]+$/);
/** 1023 bytes, WebAuthn 5.8.3. */
const credentialId = base64url(1_364);

/** The forms in which browsers write what a passkey has said (WebAuthn 5.1, JSON); no more is read. */
const assertion = z.object({
  id: credentialId,
  type: z.literal("public-key"),
  response: z.object({
    clientDataJSON: base64url(4_096),
    authenticatorData: base64url(2_048),
    signature: base64url(2_048),
    // Devices that keep none have nothing to say, in more than one way.
    userHandle: base64url(86)
      .or(z.literal(""))
      .nullish()
      .transform((handle) => (handle === "" || handle === null ? undefined : handle)),
  }),
});

const registration = z.object({
  id: credentialId,
  type: z.literal("public-key"),
  response: z.object({
    clientDataJSON: base64url(4_096),
    attestationObject: base64url(8_192),
    transports: z
      .array(z.string().regex(/^[a-z-]{1,20}$/))
      .max(10)
      .default([]),
  }),
});

/** Undefined for whatever no browser writes. */
export function readAssertion(text: string | null): PasskeyAssertion | undefined {
  const read = assertion.safeParse(parsed(text)).data;
  if (read === undefined) return undefined;
  const { clientDataJSON: clientDataJson, ...rest } = read.response;
  return { credentialId: read.id, clientDataJson, ...rest };
}

export function readRegistration(text: string | null): PasskeyRegistration | undefined {
  const read = registration.safeParse(parsed(text)).data;
  if (read === undefined) return undefined;
  const { clientDataJSON: clientDataJson, ...rest } = read.response;
  return { credentialId: read.id, clientDataJson, ...rest };
}

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    return undefined;
  }
}
