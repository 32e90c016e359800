import type { Permission, SharedAccount } from "@/lib/domain/permissions/permission";
import {
  findPermission,
  listPermissions,
  readHistory,
} from "@/lib/domain/permissions/read-permissions";
import { permissionOnPage } from "../names-on-pages";
import { textsFor } from "../texts/texts-for";
import { csv } from "./csv";
import { permissionFacts } from "./permission-facts";
import type { PermissionAddress } from "./permission-path";
import type { SignedInVisit } from "./visit";

/** Everything, past ones included, as rows of texts. */
export async function permissionsCsv(visit: SignedInVisit): Promise<string> {
  const { house, session, language, now } = visit;
  const { profile } = house;
  const texts = textsFor(language);
  const { labels } = texts.permissions;
  const { psuId } = session.signIn;
  const span = { offset: 0, limit: profile.ownChannel.csvRowsMax };
  const { permissions } = await listPermissions(house, { psuId, span, now });
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
  const { house, session, language, now } = visit;
  const { timeZone, ownChannel } = house.profile;
  const asked = { ...address, psuId: session.signIn.psuId, now };
  const found = await findPermission(house, asked);
  if (found === undefined) return undefined;
  const permission = permissionOnPage(found, language);
  const { permissions: words } = textsFor(language);
  const { history, labels } = words;
  const { lines } = await readHistory(house, permission, { limit: ownChannel.csvRowsMax });
  const { tpp } = permission;
  const head = [history.when, labels.tpp, labels.registration, history.what, history.account];
  const rows = lines.map(({ at, what, account, attended }) => [
    words.instant(at, timeZone),
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
