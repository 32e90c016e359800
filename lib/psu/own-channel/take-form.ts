import { readForm } from "../form-body";
import type { PsuHouse } from "../house";
import { isFromOurPages } from "../same-origin";
import { seeOther } from "../see-other";
import { answerCode } from "./answers/code";
import { answerNewCode } from "./answers/new-code";
import { answerAddPasskey, answerPasskeyOptions, answerRemovePasskey } from "./answers/passkeys";
import { answerPassword } from "./answers/password";
import { answerRevoke } from "./answers/revoke";
import {
  answerSignInChallenge,
  answerSignInPasskey,
  answerUnlock,
  answerUnlockChallenge,
} from "./answers/sign-in-passkey";
import { answerSignOut } from "./answers/sign-out";
import { answerStay } from "./answers/stay";
import { isOwnFormToken, type OwnAction } from "./form-token";
import { carryOwnOutcome } from "./outcome";
import { ownPath, PASSKEYS, signInPath } from "./paths";
import { type OwnVisit, openOwnVisit } from "./visit";

export type OwnAnswer = (
  visit: OwnVisit,
  form: URLSearchParams,
  target: string | undefined,
) => Promise<Response>;

const answers: Readonly<Record<OwnAction, OwnAnswer>> = {
  password: answerPassword,
  code: answerCode,
  "new-code": answerNewCode,
  stay: answerStay,
  "sign-out": answerSignOut,
  revoke: answerRevoke,
  "passkey-challenge": answerSignInChallenge,
  passkey: answerSignInPasskey,
  "unlock-challenge": answerUnlockChallenge,
  unlock: answerUnlock,
  "passkey-options": answerPasskeyOptions,
  "add-passkey": answerAddPasskey,
  "remove-passkey": answerRemovePasskey,
};

type Posted = {
  readonly request: Request;
  readonly action: OwnAction;
  readonly target?: string | undefined;
};

/**
 * A form of the bank's own channel, top to bottom. What is not from our own page changes nothing and
 * leads to the page that fits.
 */
export async function takeOwnForm(
  house: PsuHouse,
  { request, action, target }: Posted,
): Promise<Response> {
  const { headers } = request;
  if (!isFromOurPages(headers, house.config.WEB_URL)) return seeOther(pageOf(action, target).page);
  const form = await readForm(request, house.profile.request.bodyBytesMax);
  if (form === undefined) return seeOther(pageOf(action, target).page);

  const visit = await openOwnVisit(house, headers);
  const secret = house.config.SESSION_SECRET;
  const { session } = visit;
  if (await isOwnFormToken({ secret, action, target, session }, form.get("token"))) {
    return answers[action](visit, form, target);
  }
  const { page, path } = pageOf(action, target, form.get("to"));
  const stale = { outcome: "stale-form" } as const;
  return seeOther(page, [await carryOwnOutcome({ path, config: house.config }, stale)]);
}

/** The page that a form stands on, with and without its query. */
export function pageOf(action: OwnAction, target?: string, to?: string | null) {
  if (action === "revoke") {
    const path = ownPath(`/permissions/${target}/revoke`);
    return { page: path, path };
  }
  if (action === "remove-passkey") {
    const path = ownPath(`${PASSKEYS}/${target}/remove`);
    return { page: path, path };
  }
  if (action === "passkey-options" || action === "add-passkey") {
    return { page: PASSKEYS, path: PASSKEYS };
  }
  return action === "sign-out" && to == null
    ? { page: "/sign-out", path: "/sign-out" }
    : { page: signInPath(to), path: "/sign-in" };
}
