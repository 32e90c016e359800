import { readOwnForm } from "@/lib/read-form";
import { services as processServices } from "@/lib/services";
import {
  answerAccounts,
  answerApp,
  answerApproval,
  answerCancel,
  answerConfirm,
  answerLogin,
  answerNewCode,
  answerPasskey,
  answerPasskeyChallenge,
  answerStay,
} from "./answers/authorisation";
import {
  answerCode,
  answerNewSignInCode,
  answerPassword,
  answerSignInChallenge,
  answerSignInPasskey,
  answerUnlock,
  answerUnlockChallenge,
} from "./answers/sign-in";
import {
  answerAddPasskey,
  answerPasskeyOptions,
  answerRemovePasskey,
  answerRevoke,
  answerSignOut,
  answerStaySignedIn,
} from "./answers/signed-in";
import { type Action, isFormToken, isOwnFormToken, type OwnAction } from "./form-token";
import { chooseLanguage } from "./language";
import { depart, redirectOfTicket, refusingBlocked } from "./leave";
import { answerRefuse, answerRefuseNoMore } from "./opt-outs";
import { carryOutcome } from "./outcome";
import {
  NO_PAGE,
  ownPage,
  ownPath,
  PASSKEYS,
  pagePath,
  REFUSALS,
  seeOther,
  signInPath,
  toPage,
} from "./paths";
import { logFault, type PsuServices } from "./ports";
import { languageOf } from "./texts/formats";
import { type OwnVisit, openOwnVisit, openVisit, type Visit } from "./visit";

type Context = { readonly params: Promise<{ readonly uid: string }> };

/** The handlers of a form's address: opened in the browser, it leads to the page. */
export function answering(action: Action) {
  return {
    GET: async (_request: Request, { params }: Context) => seeOther(pagePath((await params).uid)),
    POST: async (request: Request, { params }: Context) => {
      const { uid } = await params;
      const services: PsuServices = processServices();
      try {
        return await takeAnswer(services, { request, uid, action });
      } catch (error) {
        logFault(`POST ${action}`, error);
        const where = { path: pagePath(uid), config: services.config };
        return seeOther(where.path, [await carryOutcome(where, { outcome: "fault" })]);
      }
    },
  };
}

/** The handlers of the forms that switch the language. */
export const switchingLanguage = {
  GET: async () => seeOther(NO_PAGE),
  POST: async (request: Request) => switchLanguage(processServices(), request),
};

/** Where the address has no parameters, Next resolves them to undefined. */
type OwnRouteContext = {
  readonly params: Promise<Readonly<Record<string, string | undefined>> | undefined>;
};

/** The handlers of a form's address: opened in the browser, it leads to the page. */
export function ownForm(action: OwnAction) {
  const targetOf = async ({ params }: OwnRouteContext) => {
    const { kind, id } = (await params) ?? {};
    return kind === undefined || id === undefined ? id : `${kind}/${id}`;
  };
  return {
    GET: async (_request: Request, context: OwnRouteContext) =>
      seeOther(pageOf(action, await targetOf(context)).page),
    POST: async (request: Request, context: OwnRouteContext) => {
      const target = await targetOf(context);
      const services: PsuServices = processServices();
      try {
        return await takeOwnForm(services, { request, action, target });
      } catch (error) {
        logFault(`POST ${action}`, error);
        const { page, path } = pageOf(action, target);
        const fault = { outcome: "fault" } as const;
        return seeOther(page, [await carryOutcome({ path, config: services.config }, fault)]);
      }
    },
  };
}

type Answer = (visit: Visit, form: URLSearchParams) => Promise<Response>;

const authorisationAnswers: Readonly<Record<Action, Answer>> = {
  login: answerLogin,
  accounts: answerAccounts,
  code: answerNewCode,
  confirm: answerConfirm,
  app: answerApp,
  approval: answerApproval,
  "passkey-challenge": answerPasskeyChallenge,
  passkey: answerPasskey,
  stay: answerStay,
  cancel: answerCancel,
};

/** The page that waits for the app asks every few seconds, also when nobody is there. */
function isByScript(action: Action, form: URLSearchParams): boolean {
  return action === "approval" && form.get("answer") === "json";
}

type PostedAnswer = { readonly request: Request; readonly uid: string; readonly action: Action };

/** A form that a PSU has sent. One that is not from our own page changes nothing and leads to the page. */
export async function takeAnswer(
  services: PsuServices,
  { request, uid, action }: PostedAnswer,
): Promise<Response> {
  const { headers } = request;
  const form = await readForm(services, request);
  if (form === undefined) return seeOther(pagePath(uid));

  const visit = await openVisit(services, uid, headers, !isByScript(action, form));
  if (visit === undefined) {
    const asked = { uid, ticket: form.get("ticket"), headers };
    const back = action === "cancel" ? await redirectOfTicket(services, asked) : undefined;
    return back === undefined ? seeOther(pagePath(uid)) : depart(services, back);
  }
  const secret = services.config.SESSION_SECRET;
  const { session } = visit;
  const isOurs = await isFormToken({ secret, uid, action, session }, form.get("token"));
  if (!isOurs) return toPage(visit, { outcome: { outcome: "stale-form" } });
  return authorisationAnswers[action](visit, form).catch(refusingBlocked(visit));
}

type OwnAnswer = (
  visit: OwnVisit,
  form: URLSearchParams,
  target: string | undefined,
) => Promise<Response>;

const ownAnswers: Readonly<Record<OwnAction, OwnAnswer>> = {
  password: answerPassword,
  code: answerCode,
  "new-code": answerNewSignInCode,
  stay: answerStaySignedIn,
  "sign-out": answerSignOut,
  revoke: answerRevoke,
  refuse: answerRefuse,
  "refuse-no-more": answerRefuseNoMore,
  "passkey-challenge": answerSignInChallenge,
  passkey: answerSignInPasskey,
  "unlock-challenge": answerUnlockChallenge,
  unlock: answerUnlock,
  "passkey-options": answerPasskeyOptions,
  "add-passkey": answerAddPasskey,
  "remove-passkey": answerRemovePasskey,
};

type PostedOwnForm = {
  readonly request: Request;
  readonly action: OwnAction;
  readonly target?: string | undefined;
};

/** The same in the bank's own channel. */
export async function takeOwnForm(
  services: PsuServices,
  { request, action, target }: PostedOwnForm,
): Promise<Response> {
  const form = await readForm(services, request);
  if (form === undefined) return seeOther(pageOf(action, target).page);

  const visit = await openOwnVisit(services, request.headers);
  if (await isOwnFormToken(visit, { action, target }, form.get("token"))) {
    return ownAnswers[action](visit, form, target);
  }
  const { page, path } = pageOf(action, target, form.get("to"));
  const stale = { outcome: "stale-form" } as const;
  return seeOther(page, [await carryOutcome({ path, config: services.config }, stale)]);
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
  if (action === "refuse" || action === "refuse-no-more") return { page: REFUSALS, path: REFUSALS };
  return action === "sign-out" && to == null
    ? { page: "/sign-out", path: "/sign-out" }
    : { page: signInPath(to), path: "/sign-in" };
}

type FormServices = Pick<PsuServices, "config" | "profile">;

function readForm({ config, profile }: FormServices, request: Request) {
  const { bodyBytesMax } = profile.request;
  return readOwnForm(request, { origin: config.WEB_URL, bytesMax: bodyBytesMax });
}

/** The PSU's choice of a language: kept in the browser, and back to the page on which it was made. */
export async function switchLanguage(services: FormServices, request: Request): Promise<Response> {
  const form = await readForm(services, request);
  if (form === undefined) return seeOther(NO_PAGE);
  const language = languageOf(form.get("language"));
  const cookies = language === undefined ? [] : [chooseLanguage(services.config, language)];
  return seeOther(ownPage(form.get("back")), cookies);
}
