import { answerAccounts } from "./answers/accounts";
import { answerCancel } from "./answers/cancel";
import { answerConfirm } from "./answers/confirm";
import { answerLogin } from "./answers/login";
import { answerNewCode } from "./answers/new-code";
import { answerPasskey, answerPasskeyChallenge } from "./answers/passkey";
import { answerStay } from "./answers/stay";
import { wayBackOfTicket } from "./cancel-ticket";
import { depart } from "./departure";
import { readForm } from "./form-body";
import { type Action, isFormToken } from "./form-token";
import type { PsuHouse } from "./house";
import { isFromOurPages } from "./same-origin";
import { pagePath, seeOther, toPage } from "./see-other";
import { openVisit, type Visit } from "./visit";

type Answer = (visit: Visit, form: URLSearchParams) => Promise<Response>;

const answers: Readonly<Record<Action, Answer>> = {
  login: answerLogin,
  accounts: answerAccounts,
  code: answerNewCode,
  confirm: answerConfirm,
  "passkey-challenge": answerPasskeyChallenge,
  passkey: answerPasskey,
  stay: answerStay,
  cancel: answerCancel,
};

type Posted = { readonly request: Request; readonly uid: string; readonly action: Action };

/**
 * A form that a PSU has sent, top to bottom. What is not from our own page changes nothing and
 * leads to the page that fits.
 */
export async function takeAnswer(
  house: PsuHouse,
  { request, uid, action }: Posted,
): Promise<Response> {
  const { headers } = request;
  if (!isFromOurPages(headers, house.config.WEB_URL)) return seeOther(pagePath(uid));
  const form = await readForm(request, house.profile.request.bodyBytesMax);
  if (form === undefined) return seeOther(pagePath(uid));

  const visit = await openVisit(house, uid, headers);
  if (visit === undefined) return withoutInteraction(house, { uid, action, form, headers });
  const secret = house.config.SESSION_SECRET;
  const { session } = visit;
  if (!(await isFormToken({ secret, uid, action, session }, form.get("token")))) {
    return toPage(visit, { outcome: { outcome: "stale-form" } });
  }
  return answers[action](visit, form);
}

type Late = {
  readonly uid: string;
  readonly action: Action;
  readonly form: URLSearchParams;
  readonly headers: Headers;
};

async function withoutInteraction(house: PsuHouse, { uid, action, form, headers }: Late) {
  const asked = { uid, ticket: form.get("ticket"), headers };
  const back = action === "cancel" ? await wayBackOfTicket(house, asked) : undefined;
  return back === undefined ? seeOther(pagePath(uid)) : depart(house, back);
}
