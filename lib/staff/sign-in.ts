import * as z from "zod";
import { type Operator, type StaffRole, staffRoles } from "@/lib/domain/staff";
import { jsonAnswer, seeOther } from "@/lib/psu/paths";
import { beginRound, endRound, purposeOf, type RoundEnd } from "@/lib/psu/provider-redirect";
import { services as processServices, type Services } from "@/lib/services";
import { readStaffForm, type Said, saying, staffForm } from "./forms";
import { HOME, staffPath } from "./paths";
import { staffTextsFor } from "./texts/texts-for";
import { endStaffSession, openStaffSession, staffLanguage, staffLimits } from "./visit";

const SIGN_IN = "/staff/sign-in";

function answered(services: Services, to: string, said: Said, cookies: readonly string[] = []) {
  const query = `?to=${encodeURIComponent(to)}`;
  return saying(services, SIGN_IN, said, { query, cookies: [...cookies] });
}

/** The handlers of the sandbox's sign-in with a password, which no bank has. Without a session a form has no token. */
export const demoSignIn = {
  GET: async () => seeOther(SIGN_IN),
  POST: async (request: Request): Promise<Response> => {
    const services = processServices();
    const form = await readStaffForm(services, request);
    const { findDemoOperator } = services;
    if (form === undefined || findDemoOperator === undefined) return seeOther(SIGN_IN);
    const to = staffPath(form.get("to"));
    const typed = [form.get("operator") ?? "none", form.get("password") ?? "none"] as const;
    const operator = findDemoOperator(...typed);
    if (operator === undefined) return answered(services, to, "wrong-credentials");
    return seeOther(to, [await openStaffSession(services, operator)]);
  },
};

/** Leads the browser to the bank's provider. By a link: a browser holds redirects after a form to `form-action`. */
export async function leadToProvider(request: Request): Promise<Response> {
  const services = processServices();
  const to = staffPath(new URL(request.url).searchParams.get("to"));
  const { staffIdentity } = services;
  if (staffIdentity === undefined) return seeOther(SIGN_IN);
  const language = staffLanguage(services, request.headers);
  const begun = await beginRound(staffIdentity, { purpose: { kind: "staff", to }, language });
  return begun === undefined
    ? answered(services, to, "provider-unavailable")
    : seeOther(begun.location, begun.cookies);
}

/** The redirect URI. */
export async function answerCallback(request: Request): Promise<Response> {
  const services = processServices();
  const { staffIdentity, events } = services;
  if (staffIdentity === undefined) return seeOther(SIGN_IN);
  const purpose = await purposeOf(staffIdentity, request);
  // Of another browser's round, of one that is over, or of a customer's.
  if (purpose?.kind !== "staff") return seeOther(SIGN_IN);
  const { result, cookies } = await endRound(staffIdentity, request);
  if (result.outcome !== "identified") {
    const unavailable = result.outcome === "provider-unavailable";
    const outcome = unavailable ? "provider-unavailable" : "not-proved";
    return answered(services, purpose.to, outcome, cookies);
  }
  const operator = operatorOf(services, result);
  if (operator.roles.length === 0) {
    await events.record({ kind: "staff-refused", actor: operator.id, detail: { roles: [] } });
    return answered(services, purpose.to, "no-role", cookies);
  }
  return seeOther(purpose.to, [...cookies, await openStaffSession(services, operator)]);
}

type Identified = Extract<RoundEnd["result"], { readonly outcome: "identified" }>;

const claimsShape = z.looseObject({ name: z.string().min(1).max(200).optional().catch(undefined) });
const rolesShape = z.union([z.array(z.unknown()), z.string()]).catch([]);

function operatorOf({ config }: Services, { identified, claims }: Identified): Operator {
  const id = String(identified.customerId);
  const read = claimsShape.parse(claims);
  const given = rolesShape.parse(claimAt(read, config.STAFF_ROLES_CLAIM));
  const named = typeof given === "string" ? given.split(/[ ,]+/) : given;
  const roles = staffRoles.filter((role: StaffRole) => named.includes(role));
  return { id, name: read.name ?? id, roles };
}

/** By its whole name, which may have dots, or as a path. */
function claimAt(claims: Readonly<Record<string, unknown>>, name: string): unknown {
  if (name in claims) return claims[name];
  const within = (value: unknown, part: string): unknown =>
    typeof value === "object" && value !== null
      ? Object.entries(value).find(([key]) => key === part)?.[1]
      : undefined;
  return name.split(".").reduce(within, claims);
}

/** The handlers of the form that asks for more time, which a page's script sends too. */
export const stayingSignedIn = staffForm({
  action: undefined,
  page: () => HOME,
  take: async (visit, form) => {
    if (form.get("answer") !== "json") return seeOther(staffPath(form.get("back")));
    const { frame } = staffTextsFor(visit.language);
    const { staff } = visit.services.profile;
    return jsonAnswer({ ...staffLimits(visit), text: frame.limits(staff) });
  },
});

export const staffSignOut = staffForm({
  action: undefined,
  page: () => SIGN_IN,
  take: async (visit) =>
    saying(visit.services, SIGN_IN, "signed-out", { cookies: [await endStaffSession(visit)] }),
});
