import * as z from "zod";
import { mayDo, type StaffAction } from "@/lib/domain/staff";
import { isKeyedSignature, keyedSignature } from "@/lib/psu/form-token";
import { chooseLanguage } from "@/lib/psu/language";
import { seeOther } from "@/lib/psu/paths";
import { logFault } from "@/lib/psu/ports";
import { cookieName, readCookie, seal, setCookie, unseal } from "@/lib/psu/session";
import { languageOf } from "@/lib/psu/texts/formats";
import { readOwnForm } from "@/lib/read-form";
import { services as processServices, type Services } from "@/lib/services";
import { FORBIDDEN, HOME, staffPath, staffSignInPath } from "./paths";
import { openStaffVisit, type StaffVisit } from "./visit";

/** Of the folders in brackets. */
export type Params = Readonly<Record<string, string>>;
type Context = { readonly params: Promise<Params> };

type StaffForm = {
  /** What is done by it; undefined for what every operator may do. */
  readonly action: StaffAction | undefined;
  /** The path of the page that it stands on, and that says what came of it. */
  readonly page: (params: Params) => string;
  readonly take: (visit: StaffVisit, form: URLSearchParams, params: Params) => Promise<Response>;
};

/** The handlers of a form's address: opened in the browser, it leads to the page. */
export function staffForm({ action, page, take }: StaffForm) {
  return {
    GET: async (_request: Request, { params }: Context) => seeOther(page((await params) ?? {})),
    POST: async (request: Request, { params }: Context): Promise<Response> => {
      const services = processServices();
      const given = (await params) ?? {};
      const path = page(given);
      try {
        const form = await readStaffForm(services, request);
        if (form === undefined) return seeOther(staffSignInPath(path));
        const visit = await admitted(services, request.headers, { action, path });
        if (typeof visit === "string") return seeOther(visit);
        const { pathname } = new URL(request.url);
        if (!(await isStaffFormToken(visit, pathname, form.get("token")))) {
          return await saying(services, path, "stale-form");
        }
        return await take(visit, form, given);
      } catch (error) {
        logFault("POST of the staff console", error);
        return saying(services, path, "fault");
      }
    },
  };
}

export function readStaffForm({ config, profile }: Services, request: Request) {
  const { bodyBytesMax: bytesMax } = profile.request;
  return readOwnForm(request, { origin: config.STAFF_URL, bytesMax });
}

/**
 * The visit of an operator who may do this, or the address to which the browser is led otherwise. That somebody tries what
 * the roles do not allow is on record. `action` is undefined for what every operator may do, `path` where to begin again.
 */
export async function admitted(
  services: Services,
  asked: Pick<Headers, "get">,
  { action, path }: { readonly action: StaffAction | undefined; readonly path: string },
): Promise<StaffVisit | string> {
  const visit = await openStaffVisit(services, asked);
  if (visit === undefined) return staffSignInPath(path);
  const { id: actor, roles } = visit.operator;
  if (action === undefined || mayDo(roles, action)) return visit;
  await services.events.record({ kind: "staff-refused", actor, detail: { action, roles } });
  return FORBIDDEN;
}

type SessionOf = Pick<StaffVisit, "services" | "sessionId">;

/** Of one form in one session: `path` is where the form goes. */
export function staffFormToken(visit: SessionOf, path: string): Promise<string> {
  return keyedSignature(visit.services.config.SESSION_SECRET, subjectOf(visit, path));
}

function isStaffFormToken(visit: SessionOf, path: string, token: string | null) {
  return isKeyedSignature(visit.services.config.SESSION_SECRET, subjectOf(visit, path), token);
}

function subjectOf({ sessionId }: SessionOf, path: string): string {
  return ["staff-form", path, sessionId].join("\n");
}

/** What came of an operator's last answer, said once on the page to which it led. */
export const said = {
  "signed-out": "good",
  "wrong-credentials": "error",
  "provider-unavailable": "error",
  "not-proved": "error",
  "no-role": "error",
  "stale-form": "error",
  "reason-missing": "error",
  "not-found": "error",
  fault: "error",
  ended: "good",
  "not-ended": "error",
  unlocked: "good",
  "request-made": "good",
  "request-approved": "good",
  "request-refused": "good",
  "request-withdrawn": "good",
  "open-already": "error",
  "decided-already": "error",
  "own-request": "error",
  "not-own-request": "error",
  "over-already": "error",
  "basis-wrong": "error",
  "until-wrong": "error",
  "secrecy-reason-missing": "error",
} as const satisfies Readonly<Record<string, "good" | "error">>;
export type Said = keyof typeof said;

const content = z.object({ said: z.enum(Object.keys(said) as [Said, ...Said[]]) });
const SAID_SECONDS = 60;
const NAME = "staff-said";

/** Leads to a page of the console, which says this; `path` without a query. */
export async function saying(
  { config }: Pick<Services, "config">,
  path: string,
  what: Said,
  { query = "", cookies = [] }: { readonly query?: string; readonly cookies?: string[] } = {},
): Promise<Response> {
  const sealed = { said: what };
  const value = await seal(config.SESSION_SECRET, `staff-said ${path}`, sealed, SAID_SECONDS);
  const carried = setCookie(config.STAFF_URL, { name: NAME, path, value, seconds: SAID_SECONDS });
  return seeOther(`${path}${query}`, [carried, ...cookies]);
}

export async function readSaid(
  { config }: Pick<Services, "config">,
  cookieHeader: string | null,
  path: string,
): Promise<Said | undefined> {
  const sealed = readCookie(cookieHeader, cookieName(config.STAFF_URL, NAME, path));
  return (await unseal(config.SESSION_SECRET, `staff-said ${path}`, sealed, content))?.said;
}

export const switchingStaffLanguage = {
  GET: async () => seeOther(HOME),
  POST: async (request: Request): Promise<Response> => {
    const services = processServices();
    const form = await readStaffForm(services, request);
    const language = languageOf(form?.get("language"));
    const { STAFF_URL: WEB_URL } = services.config;
    const cookies = language === undefined ? [] : [chooseLanguage({ WEB_URL }, language)];
    return seeOther(staffPath(form?.get("back")), cookies);
  },
};
