import type { Psd2Role } from "@/lib/domain/tpp";
import { certificatesWith, type DefectIn, type DefectName, isDefect } from "./defects";
import type { CertificateKind, TppCertificateRequest } from "./tpp-certificates";

/** Certificates as a person orders them, by the command or in a form; what is left empty is not given. */
export type OrderTexts = {
  readonly id: string;
  readonly name: string;
  readonly roles: readonly string[];
  readonly authorityId?: string | undefined;
  readonly authorityName?: string | undefined;
  readonly domain?: string | undefined;
  readonly days?: string | undefined;
  readonly defect?: string | undefined;
  /** The certificate that has the defect. */
  readonly in?: string | undefined;
};

export type OrderField = keyof OrderTexts;
export type OrderFault = { readonly field: OrderField; readonly text: string };

export type CertificateOrder = {
  readonly organisation: Omit<
    TppCertificateRequest,
    "now" | "statusUrl" | "notBefore" | "notAfter"
  >;
  /** How long the certificates are valid. */
  readonly days: number;
  readonly defect?: DefectIn;
};

/** PSD2 roles as ETSI TS 119 495 names them. */
export const psd2Roles: readonly Psd2Role[] = ["PSP_AI", "PSP_PI", "PSP_IC", "PSP_AS"];
export const orderLimits = { daysDefault: 730, daysMax: 3_650, nameCharactersMax: 64 } as const;

const ID = /^PSD[A-Z]{2}-[A-Z]{2,8}-[\x21-\x7E]{1,200}$/;
const AUTHORITY_ID = /^[A-Z]{2}-[A-Z]{2,8}$/;
const DOMAIN = /^(\*\.)?[a-z0-9]([a-z0-9-]{0,62})(\.[a-z0-9]([a-z0-9-]{0,62}))*$/i;
const DAYS = /^[1-9]\d{0,3}$/;

/** The order, or all that is wrong with it. */
export function readOrder(
  texts: OrderTexts,
): { readonly order: CertificateOrder } | { readonly faults: readonly OrderFault[] } {
  const given = trimmed(texts);
  const faults = faultsOf(given);
  if (faults.length > 0) return { faults };
  const { id, name, authorityId, authorityName, domain, days, defect } = given;
  const organisation = {
    id,
    name,
    roles: given.roles.filter(isRole),
    ...(authorityId !== undefined && { authorityId }),
    ...(authorityName !== undefined && { authorityName }),
    ...(domain !== undefined && { domain: domain.toLowerCase() }),
  };
  const wanted = defect !== undefined && isDefect(defect) ? defectIn(defect, given.in) : undefined;
  const order = { organisation, days: Number(days ?? orderLimits.daysDefault) };
  return { order: wanted === undefined ? order : { ...order, defect: wanted } };
}

function trimmed(texts: OrderTexts): OrderTexts {
  const text = (value: string | undefined) => value?.trim() || undefined;
  return {
    id: texts.id.trim(),
    name: texts.name.trim(),
    roles: texts.roles.map((role) => role.trim()),
    authorityId: text(texts.authorityId),
    authorityName: text(texts.authorityName),
    domain: text(texts.domain),
    days: text(texts.days),
    defect: text(texts.defect),
    in: text(texts.in),
  };
}

function faultsOf(given: OrderTexts): readonly OrderFault[] {
  const { id, name, roles, authorityId, authorityName, domain, days, defect } = given;
  const { nameCharactersMax, daysMax } = orderLimits;
  const isName = (text: string) => isPlain(text) && text.length <= nameCharactersMax;
  const unknown = roles.filter((role) => !isRole(role));
  const none = roles.length === 0;
  const notAName = `must be a name of at most ${nameCharactersMax} characters, without line breaks`;
  const faults: readonly (readonly [OrderField, boolean, string])[] = [
    ["id", ID.test(id), "must be of the form PSDRO-NBR-1234567"],
    ["name", isName(name), notAName],
    ["roles", !none, `must be some of ${psd2Roles.join(", ")}`],
    ["roles", unknown.length === 0, `${unknown.join(", ")} is no PSD2 role`],
    ["roles", new Set(roles).size === roles.length, "names a role twice"],
    ["authorityId", AUTHORITY_ID.test(authorityId ?? "RO-NBR"), "must be of the form RO-NBR"],
    ["authorityName", isName(authorityName ?? "NBR"), notAName],
    ["domain", DOMAIN.test(domain ?? "localhost"), "must be a host name, as in tpp.example"],
    ["days", isDays(days ?? "1"), `must be a number of days from 1 to ${daysMax}`],
    ["defect", isDefect(defect ?? "expired"), `${defect} is not in the list of defects`],
  ];
  const found = faults.filter(([, fine]) => !fine).map(([field, , text]) => ({ field, text }));
  return [...found, ...faultsOfPlace(given)];
}

function faultsOfPlace({ defect, in: place }: OrderTexts): readonly OrderFault[] {
  if (place === undefined) return [];
  if (place !== "qwac" && place !== "qseal") return [{ field: "in", text: "is qwac or qseal" }];
  if (defect === undefined || !isDefect(defect) || certificatesWith(defect).includes(place))
    return [];
  return [{ field: "in", text: `the defect ${defect} makes no sense in a ${place}` }];
}

function defectIn(defect: DefectName, place: string | undefined): DefectIn | undefined {
  const [usual] = certificatesWith(defect);
  const named = kinds.find((kind) => kind === place) ?? usual;
  return named === undefined ? undefined : { defect, in: named };
}

const kinds: readonly CertificateKind[] = ["qwac", "qseal"];

function isRole(text: string): text is Psd2Role {
  return psd2Roles.some((role) => role === text);
}

function isPlain(text: string): boolean {
  return text.length > 0 && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text);
}

function isDays(text: string): boolean {
  return DAYS.test(text) && Number(text) <= orderLimits.daysMax;
}
