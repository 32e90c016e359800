import { z } from "zod";
import { isUuid } from "@/lib/domain/identifiers";
import { newNonce } from "@/lib/domain/passkeys/challenge";
import { enrolPasskey } from "@/lib/domain/passkeys/enrol-passkey";
import { mayAddPasskey } from "@/lib/domain/passkeys/may-add-passkey";
import type { PasskeyId } from "@/lib/domain/passkeys/passkey";
import { removePasskey } from "@/lib/domain/passkeys/remove-passkey";
import { creationOptions } from "../../passkeys/creation-options";
import { readRegistration } from "../../passkeys/wire";
import { seal, unseal } from "../../sealed";
import { seeOther } from "../../see-other";
import { textsFor } from "../../texts/texts-for";
import { carryOwnOutcome, type OwnOutcomeName } from "../outcome";
import { PASSKEYS, signInPath } from "../paths";
import { isSignedIn, type OwnVisit, type SignedInVisit } from "../visit";

const content = z.object({ challenge: z.string() });
const purposeOf = ({ session }: SignedInVisit) => `new-passkey ${session.signIn.session}` as const;

/** No line breaks, nothing that is not seen. */
const passkeyName = z
  .string()
  .transform((text) => text.replace(/\p{C}/gu, "").trim())
  .pipe(z.string().min(1).max(40));

/**
 * What a passkey is to be made with; asked for by the page's own script. Without it none is made: here it
 * is decided whether the PSU has to sign in first.
 */
export async function answerPasskeyOptions(visit: OwnVisit): Promise<Response> {
  if (!isSignedIn(visit)) return seeOther(signInPath(PASSKEYS));
  const { house, session, now } = visit;
  if (!mayAddPasskey(house.profile, session.signIn, now)) return seeOther(PASSKEYS);
  const { psuId } = session.signIn;
  const psu = await house.psuDirectory.find(psuId);
  if (psu === undefined) return seeOther(PASSKEYS);
  const challenge = newNonce();
  const seconds = house.profile.sca.passkeyMinutes * 60;
  const secret = house.config.SESSION_SECRET;
  const sealed = await seal(secret, purposeOf(visit), { challenge }, seconds);
  const passkeys = await house.passkeys.ofPsu(psuId);
  const options = creationOptions(house, { psu, challenge, passkeys });
  return Response.json({ options, sealed }, { headers: { "Cache-Control": "no-store" } });
}

/** The passkey that was made, under the name that the PSU gives it. */
export async function answerAddPasskey(visit: OwnVisit, form: URLSearchParams): Promise<Response> {
  if (!isSignedIn(visit)) return seeOther(signInPath(PASSKEYS));
  const { house, session, language, now } = visit;
  const name = passkeyName.safeParse(form.get("name") ?? undefined).data;
  if (name === undefined) return said(visit, "passkey-name-missing");
  const secret = house.config.SESSION_SECRET;
  const sealed = form.get("sealed") ?? undefined;
  const asked = await unseal(secret, purposeOf(visit), sealed, content);
  const registration = readRegistration(form.get("assertion"));
  if (asked === undefined || registration === undefined) return said(visit, "not-understood");
  const notice = textsFor(language).passkeys.addedMessage(house.profile.name);
  const { psuId } = session.signIn;
  const { challenge } = asked;
  const made = { psuId, registration, challenge, name, notice, now };
  return said(visit, (await enrolPasskey(house, made)).outcome);
}

/** The PSU's last word. What is not theirs stays as it is. */
export async function answerRemovePasskey(
  visit: OwnVisit,
  _form: URLSearchParams,
  target: string | undefined,
): Promise<Response> {
  if (!isSignedIn(visit)) return seeOther(signInPath(PASSKEYS));
  const { house, session, language, now } = visit;
  if (target === undefined || !isUuid(target)) return seeOther(PASSKEYS);
  const notice = textsFor(language).passkeys.removedMessage(house.profile.name);
  const { psuId } = session.signIn;
  const removed = await removePasskey(house, { id: target as PasskeyId, psuId, notice, now });
  return removed ? said(visit, "passkey-removed") : seeOther(PASSKEYS);
}

async function said({ house: { config } }: OwnVisit, outcome: OwnOutcomeName): Promise<Response> {
  return seeOther(PASSKEYS, [await carryOwnOutcome({ path: PASSKEYS, config }, { outcome })]);
}
