import * as z from "zod";
import type { Passkey, PasskeyAssertion, PasskeyRegistration } from "@/lib/domain/passkeys";
import type { Psu } from "@/lib/domain/psu";
import { mayAddPasskey } from "@/lib/domain/sign-in";
import { jsonIn } from "@/lib/json";
import { ownFormToken } from "./form-token";
import { ownFrameOf } from "./frame";
import { readOutcome } from "./outcome";
import { PASSKEYS, pagePath, passkeysPath } from "./paths";
import type { PsuServices } from "./ports";
import type { SignedInVisit } from "./visit";

export type PasskeysView = Awaited<ReturnType<typeof passkeysView>>;
export type RemovePasskeyView = NonNullable<Awaited<ReturnType<typeof removePasskeyView>>>;

/** `uid`: of the authorisation that the PSU comes from. */
export async function passkeysView(visit: SignedInVisit, uid?: string) {
  const { services, session, now } = visit;
  const { profile } = services;
  const path = passkeysPath(uid);
  return {
    ...(await ownFrameOf(visit)),
    page: "passkeys" as const,
    path,
    /** The way back to it. */
    requestPath: uid !== undefined && path !== PASSKEYS ? pagePath(uid) : undefined,
    passkeys: await services.passkeys.ofPsu(session.signIn.psuId),
    passkeysMax: profile.sca.passkeysMax,
    /** Where the bank takes no passkeys, those of earlier days can be removed. */
    accepted: profile.sca.means.includes("passkey"),
    /** The sign-in is not too long ago. */
    mayAdd: mayAddPasskey(profile, session.signIn, now),
    addPasskeyMinutes: profile.ownChannel.addPasskeyMinutes,
    outcome: await readOutcome(visit, PASSKEYS, "passkeys"),
    addToken: await ownFormToken(visit, "add-passkey"),
    optionsToken: await ownFormToken(visit, "passkey-options"),
  };
}

/** Undefined for an unknown one, a removed one, and another PSU's. */
export async function removePasskeyView(visit: SignedInVisit, id: string) {
  const { services, session } = visit;
  const own = await services.passkeys.ofPsu(session.signIn.psuId);
  const passkey = own.find((one) => one.id === id);
  if (passkey === undefined) return undefined;
  return {
    ...(await ownFrameOf(visit)),
    page: "remove-passkey" as const,
    passkey,
    means: services.profile.sca.means,
    outcome: await readOutcome(visit, removePath(passkey), "remove-passkey"),
    token: await ownFormToken(visit, "remove-passkey", id),
  };
}

export function removePath({ id }: Pick<Passkey, "id">): string {
  return `${PASSKEYS}/${id}/remove`;
}

type Asked = { readonly challenge: string; readonly passkeys: readonly Passkey[] };

/** ES256, EdDSA, RS256, by their numbers of COSE. */
const ALGORITHMS = [-7, -8, -257];

/** PublicKeyCredentialCreationOptionsJSON, WebAuthn 5.4: what passkey a browser is asked to make. */
export function creationOptions(
  { config, profile, passkeyVerifier }: Pick<PsuServices, "config" | "profile" | "passkeyVerifier">,
  psu: Psu,
  { challenge, passkeys }: Asked,
) {
  return {
    rp: { id: new URL(config.WEB_URL).hostname, name: profile.name },
    user: { id: passkeyVerifier.userHandle(psu.id), name: psu.userId, displayName: psu.name },
    challenge,
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: "public-key", alg })),
    timeout: profile.sca.passkeyMinutes * 60_000,
    // A device that has one of these makes no second.
    excludeCredentials: passkeys.map(asCredential),
    authenticatorSelection: { residentKey: "preferred", userVerification: "required" },
    attestation: "none",
  };
}

/** PublicKeyCredentialRequestOptionsJSON, WebAuthn 5.5: what a browser is asked to have signed. */
export function requestOptions(
  { config, profile }: Pick<PsuServices, "config" | "profile">,
  { challenge, passkeys }: Asked,
) {
  return {
    challenge,
    rpId: new URL(config.WEB_URL).hostname,
    // Any of which may sign.
    allowCredentials: passkeys.map(asCredential),
    userVerification: "required",
    timeout: profile.sca.passkeyMinutes * 60_000,
  };
}

function asCredential({ credentialId, transports }: Passkey) {
  return { type: "public-key", id: credentialId, transports };
}

const base64url = (charactersMax: number) =>
  z
    .string()
    .min(1)
    .max(charactersMax)
    .regex(/^[\w-]+$/);
/** 1023 bytes, WebAuthn 5.8.3. */
const credentialId = base64url(1_364);

/** A passkey's answer as browsers write it (WebAuthn 5.1, JSON); the rest is ignored. */
const assertion = z.object({
  id: credentialId,
  type: z.literal("public-key"),
  response: z.object({
    clientDataJSON: base64url(4_096),
    authenticatorData: base64url(2_048),
    signature: base64url(2_048),
    // Devices that keep none leave it out, empty, or null.
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

/** Undefined for what no browser writes. */
export function readAssertion(text: string | null): PasskeyAssertion | undefined {
  const read = assertion.safeParse(jsonIn(text ?? "null")).data;
  if (read === undefined) return undefined;
  const { clientDataJSON: clientDataJson, ...rest } = read.response;
  return { credentialId: read.id, clientDataJson, ...rest };
}

export function readRegistration(text: string | null): PasskeyRegistration | undefined {
  const read = registration.safeParse(jsonIn(text ?? "null")).data;
  if (read === undefined) return undefined;
  const { clientDataJSON: clientDataJson, ...rest } = read.response;
  return { credentialId: read.id, clientDataJson, ...rest };
}
