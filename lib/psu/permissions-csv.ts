import { csv, csvFile } from "@/lib/csv";
import {
  findPermission,
  listPermissions,
  type Permission,
  readHistory,
  type SharedAccount,
} from "@/lib/domain/permissions";
import { addTime } from "@/lib/domain/values";
import { services as processServices } from "@/lib/services";
import {
  HOME,
  NO_PAGE,
  type PermissionAddress,
  permissionAsked,
  permissionPath,
  seeOther,
  signInPath,
} from "./paths";
import { permissionFacts } from "./permissions-view";
import { logFault, type PsuServices } from "./ports";
import { permissionOnPage } from "./texts/formats";
import { textsFor } from "./texts/texts-for";
import { isSignedIn, openOwnVisit, type SignedInVisit } from "./visit";

type Context = { readonly params: Promise<Readonly<Record<string, string | undefined>>> };

export function downloadPermissions(request: Request): Promise<Response> {
  return download(processServices, request, {
    name: "permissions.csv",
    page: HOME,
    fill: permissionsCsv,
  });
}

export async function downloadHistory(request: Request, { params }: Context): Promise<Response> {
  const { kind, id } = await params;
  const address = permissionAsked(`${kind}/${id}`);
  if (address === undefined) return seeOther(NO_PAGE);
  return download(processServices, request, {
    name: "access-history.csv",
    page: permissionPath(address),
    fill: (visit) => historyCsv(visit, address),
  });
}

type File = {
  readonly name: string;
  /** That has the link. */
  readonly page: string;
  readonly fill: (visit: SignedInVisit) => Promise<string | undefined>;
};

/** Without a session, leads to the sign-in, and from there to the page that has the link. */
export async function download(
  servicesNow: () => PsuServices,
  request: Request,
  { name, page, fill }: File,
): Promise<Response> {
  try {
    const visit = await openOwnVisit(servicesNow(), request.headers);
    if (!isSignedIn(visit)) return seeOther(signInPath(page));
    const text = await fill(visit);
    return text === undefined ? seeOther(NO_PAGE) : csvFile(name, text);
  } catch (error) {
    logFault(`GET ${name}`, error);
    return seeOther(page);
  }
}

/** Everything, past ones included, as rows of texts. */
export async function permissionsCsv(visit: SignedInVisit): Promise<string> {
  const { services, session, language, now } = visit;
  const { profile } = services;
  const texts = textsFor(language);
  const { labels } = texts.permissions;
  const { psuId } = session.signIn;
  const { csvRowsMax: limit, pastShownDays } = profile.ownChannel;
  const filter = { since: addTime(now, -pastShownDays, "day") };
  const { permissions } = await listPermissions(services, { psuId, filter, limit, now });
  const head = [
    ...[labels.tpp, labels.registration, labels.kind, labels.status, labels.data],
    ...[labels.accounts, labels.requested, labels.since, labels.until, labels.ended],
    ...[labels.howOften, labels.lastRead, labels.amount, labels.payee, labels.message],
  ];
  const row = (found: Permission) => {
    const permission = permissionOnPage(found, language);
    const { kind, status, requested, ...facts } = permissionFacts({ texts, profile }, permission);
    const { data, since, until, ended, howOften, lastRead, amount, payee, message } = facts;
    const { tpp, accounts } = permission;
    const shared = accounts.map(accountText).join("; ");
    const given = [data, shared, requested, since, until, ended, howOften, lastRead, amount];
    // The name alone: a column of its own says whose words they are.
    return [tpp.name, tpp.id, kind, status, ...[...given, payee, message].map(textOf)];
  };
  return csv([head, ...permissions.map(row)]);
}

/** When what was read by one of them. Undefined for an unknown one and for another PSU's. */
export async function historyCsv(
  visit: SignedInVisit,
  address: PermissionAddress,
): Promise<string | undefined> {
  const { services, session, language, now } = visit;
  const { timeZone, ownChannel } = services.profile;
  const asked = { ...address, psuId: session.signIn.psuId, now };
  const found = await findPermission(services, asked);
  if (found === undefined) return undefined;
  const permission = permissionOnPage(found, language);
  const { instant, permissions } = textsFor(language);
  const { history, labels } = permissions;
  const { lines } = await readHistory(services, permission, { limit: ownChannel.csvRowsMax });
  const { tpp } = permission;
  const head = [history.when, labels.tpp, labels.registration, history.what, history.account];
  const rows = lines.map(({ at, what, account, attended }) => [
    instant(at, timeZone),
    tpp.name,
    tpp.id,
    history.reads[what],
    account === undefined ? history.everyAccount : accountText(account),
    attended ? history.attended : history.unattended,
  ]);
  return csv([[...head, history.how], ...rows]);
}

function accountText({ name, iban, currency }: SharedAccount): string {
  return [name, iban, currency].filter((part) => part !== undefined).join(" ");
}

const NOTHING = "";
const textOf = (text: string | undefined) => (text === undefined ? NOTHING : text);
