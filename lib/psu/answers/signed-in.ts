import * as z from "zod";
import { enrolPasskey, newNonce, type PasskeyId, removePasskey } from "@/lib/domain/passkeys";
import { revokePermission } from "@/lib/domain/permissions";
import { mayAddPasskey } from "@/lib/domain/sign-in";
import { isUuid } from "@/lib/domain/values";
import { ownLimitsOf } from "../frame";
import { carryOutcome, type OwnOutcomeName } from "../outcome";
import { creationOptions, readRegistration } from "../passkeys";
import {
  HOME,
  isPasskeyList,
  jsonAnswer,
  ownPage,
  PASSKEYS,
  permissionAsked,
  permissionPath,
  seeOther,
  signInPath,
} from "../paths";
import { noOwnCookie, seal, unseal } from "../session";
import { textsFor } from "../texts/texts-for";
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
  const { services, session, now } = visit;
  if (!mayAddPasskey(services.profile, session.signIn, now)) return seeOther(PASSKEYS);
  const { psuId } = session.signIn;
  const psu = await services.psuDirectory.find(psuId);
  if (psu === undefined) return seeOther(PASSKEYS);
  const challenge = newNonce();
  const seconds = services.profile.sca.passkeyMinutes * 60;
  const secret = services.config.SESSION_SECRET;
  const sealed = await seal(secret, purposeOf(visit), { challenge }, seconds);
  const passkeys = await services.passkeys.ofPsu(psuId);
  const options = creationOptions(services, psu, { challenge, passkeys });
  return jsonAnswer({ options, sealed });
}

/** The passkey that was made, under the name that the PSU gives it. */
export async function answerAddPasskey(visit: OwnVisit, form: URLSearchParams): Promise<Response> {
  const page = listOf(form);
  if (!isSignedIn(visit)) return seeOther(signInPath(page));
  const { services, session, language, now } = visit;
  const name = passkeyName.safeParse(form.get("name") ?? undefined).data;
  if (name === undefined) return said(visit, "passkey-name-missing", page);
  const secret = services.config.SESSION_SECRET;
  const sealed = form.get("sealed") ?? undefined;
  const asked = await unseal(secret, purposeOf(visit), sealed, content);
  const registration = readRegistration(form.get("assertion"));
  if (asked === undefined || registration === undefined) return said(visit, "not-understood", page);
  const notice = textsFor(language).passkeys.addedMessage(services.profile.name);
  const { psuId } = session.signIn;
  const { challenge } = asked;
  const made = { psuId, registration, challenge, name, notice, now };
  return said(visit, (await enrolPasskey(services, made)).outcome, page);
}

/** Removes a passkey of this PSU; any other stays as it is. */
export async function answerRemovePasskey(
  visit: OwnVisit,
  _form: URLSearchParams,
  target: string | undefined,
): Promise<Response> {
  if (!isSignedIn(visit)) return seeOther(signInPath(PASSKEYS));
  const { services, session, language, now } = visit;
  if (target === undefined || !isUuid(target)) return seeOther(PASSKEYS);
  const notice = textsFor(language).passkeys.removedMessage(services.profile.name);
  const { psuId } = session.signIn;
  const removed = await removePasskey(services, { id: target as PasskeyId, psuId, notice, now });
  return removed ? said(visit, "passkey-removed") : seeOther(PASSKEYS);
}

/** The list on which the form stood. */
function listOf(form: URLSearchParams): string {
  const back = form.get("back");
  return isPasskeyList(back) ? back : PASSKEYS;
}

async function said(
  { services: { config } }: OwnVisit,
  outcome: OwnOutcomeName,
  page = PASSKEYS,
): Promise<Response> {
  return seeOther(page, [await carryOutcome({ path: PASSKEYS, config }, { outcome })]);
}

/** Ends a permission of this PSU; any other, and one not in force, stays as it is. */
export async function answerRevoke(
  visit: OwnVisit,
  _form: URLSearchParams,
  target: string | undefined,
): Promise<Response> {
  const asked = permissionAsked(target);
  if (asked === undefined) return seeOther(HOME);
  const path = permissionPath(asked);
  if (!isSignedIn(visit)) return seeOther(signInPath(path));
  const { services, session, now } = visit;
  const revoked = await revokePermission(services, { ...asked, psuId: session.signIn.psuId, now });
  const outcome = revoked ? "revoked" : "not-revoked";
  return seeOther(path, [await carryOutcome({ path, config: services.config }, { outcome })]);
}

/**
 * More time (WCAG 2.2, 2.2.1): asking for it was activity. The page's script asks for the new end and
 * stays where it is; without a script, or without a session, the answer leads back to the page.
 */
export async function answerStaySignedIn(
  visit: OwnVisit,
  form: URLSearchParams,
): Promise<Response> {
  const limits = ownLimitsOf(visit);
  if (limits === undefined || form.get("answer") !== "json") {
    return seeOther(ownPage(form.get("back")));
  }
  const { inactivityMinutes } = visit.services.profile.ownChannel;
  const text = textsFor(visit.language).signIn.inactivity(inactivityMinutes);
  return jsonAnswer({ ...limits, text });
}

/** From now on no copy of the cookie opens anything. */
export async function answerSignOut(visit: OwnVisit, form: URLSearchParams): Promise<Response> {
  const { services, session, now } = visit;
  if ("signIn" in session) await services.signIns.revoke(session.signIn.session, now);
  const to = form.get("to");
  return seeOther(to === null ? "/sign-out" : signInPath(to), [noOwnCookie(services)]);
}
