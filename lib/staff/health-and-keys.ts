import { X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import http from "node:http";
import https from "node:https";
import { type Config, sandboxCertificates } from "@/lib/config";
import { newPaymentId } from "@/lib/domain/values";
import { readAuthorities } from "@/lib/pem";
import { secretIds, secretNames } from "@/lib/secrets";
import { type Column, columnsOf, instantCell, type Table } from "./table";
import type { StaffTexts } from "./texts/en";
import { staffTextsFor } from "./texts/texts-for";
import type { StaffVisit } from "./visit";

const ANSWER_MILLISECONDS_MAX = 2_000;
const DAY_MS = 86_400_000;
/** What ends sooner is marked; of TPPs nothing else is shown. */
const SOON_DAYS = 30;

/** Whether what this server needs answers, and how long ago its jobs have come to their end. */
export async function healthView({ services }: Pick<StaffVisit, "services">) {
  const { config, operations, coreBank } = services;
  const issuers = { customers: config.IDP_ISSUER, staff: config.STAFF_IDP_ISSUER };
  const [coreBankAnswers, customers, staff, kept] = await Promise.all([
    within(coreBank.payment(newPaymentId())),
    answers(issuers.customers, config.IDP_CA).catch(() => false),
    answers(issuers.staff, config.STAFF_IDP_CA).catch(() => false),
    operations(),
  ]);
  // Without its database this page would not have come as far as this.
  return { ...kept, answers: { database: true, coreBank: coreBankAnswers, customers, staff } };
}

async function within(asked: Promise<unknown>): Promise<boolean> {
  const late = new Promise<false>((done) => {
    setTimeout(() => done(false), ANSWER_MILLISECONDS_MAX).unref();
  });
  return Promise.race([asked.then(() => true), late]).catch(() => false);
}

/** Undefined where the bank has named no provider. */
async function answers(
  issuer: string | undefined,
  caFile: string | undefined,
): Promise<boolean | undefined> {
  if (issuer === undefined) return undefined;
  const ca = caFile === undefined ? undefined : readAuthorities(caFile);
  const url = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
  const { request } = url.startsWith("https:") ? https : http;
  return new Promise((done) => {
    const signal = AbortSignal.timeout(ANSWER_MILLISECONDS_MAX);
    const asking = request(url, { signal, ...(ca !== undefined && { ca }) }, (answer) => {
      answer.resume();
      done(answer.statusCode === 200);
    });
    asking.on("error", () => done(false)).end();
  });
}

type KeyRow = {
  readonly what: keyof StaffTexts["keys"]["kinds"];
  readonly subject: string;
  /** That it comes from; none of a TPP. */
  readonly setting?: string;
  /** Undefined for what ends when the bank replaces it. */
  readonly end: Date | undefined;
};

/** Certificates and keys of this server, those it trusts, and TPPs' that end soon; what ends first comes first. */
export async function keysTable({ services, language, now }: StaffVisit): Promise<Table<KeyRow>> {
  const { config, profile, trustAnchors, trustedListUpdate, signingKids, seenTpps } = services;
  const texts = staffTextsFor(language);
  const inList = (id: string, at: number) =>
    `${id}, ${at === 0 ? texts.keys.signs : texts.keys.verifies}`;
  const { keyChanges } = await services.operations();
  const tpps = await seenTpps.list({ limit: profile.staff.csvRowsMax }, now);
  const soon = now.getTime() + SOON_DAYS * DAY_MS;
  const rows: KeyRow[] = [
    ...(await certificatesOf(config)),
    ...trustAnchors.map(({ x509, notAfter }): KeyRow => {
      const subject = oneLine(x509.subject);
      return { what: "anchor", subject, end: notAfter, setting: "TRUST_ANCHORS" };
    }),
    ...(trustedListUpdate === undefined
      ? []
      : [
          {
            ...{ what: "list" as const, subject: config.TRUST_ANCHORS, end: trustedListUpdate },
            setting: "TRUST_ANCHORS",
          },
        ]),
    ...signingKids.map((kid, at): KeyRow => {
      const setting = "TOKEN_SIGNING_KEY";
      return { what: "signing-key", subject: inList(kid, at), end: undefined, setting };
    }),
    ...secretNames.flatMap((setting) =>
      secretIds(config[setting], setting).map((id, at): KeyRow => {
        return { what: "secret", subject: `${setting} ${inList(id, at)}`, end: undefined, setting };
      }),
    ),
    ...tpps.flatMap(({ id, certificates }) =>
      certificates
        .filter(({ notAfter }) => notAfter >= now && notAfter.getTime() < soon)
        .map(({ kind, serialNumber, notAfter }): KeyRow => {
          return { what: "tpp", subject: `${id}, ${kind} ${serialNumber}`, end: notAfter };
        }),
    ),
  ];
  const endOf = ({ end }: KeyRow) => end?.getTime() ?? Number.POSITIVE_INFINITY;
  return {
    rows: rows.toSorted((one, other) => endOf(one) - endOf(other)),
    columns: keyColumns(texts, { timeZone: profile.timeZone, now, keyChanges }),
    keyOf: ({ what, subject, end }) => `${what} ${subject} ${end?.getTime()}`,
  };
}

/** What the listeners for machines show, this server to the core bank, and what seals notifications. */
async function certificatesOf(config: Config): Promise<readonly KeyRow[]> {
  const own = config.SANDBOX ? sandboxCertificates(config) : undefined;
  const files = [
    ["tls", "XS2A_TLS_CERT", own?.tls],
    ["bank-api", "BANK_API_TLS_CERT", own?.["bank-api"]],
    ["core-bank", "CORE_BANK_TLS_CERT", undefined],
    ["seal", "NOTIFICATIONS_SEAL_CERT", undefined],
  ] as const;
  const found = files.map(async ([what, setting, sandbox]) => {
    const named = config[setting];
    // A listener that is not open has not made its certificate.
    const read = named ? readFile(named) : sandbox && readFile(sandbox).catch(() => undefined);
    const pem = await read;
    if (pem === undefined) return [];
    // The first of the chain is the server's own.
    const { subject, validTo } = new X509Certificate(pem);
    const row: KeyRow = { what, subject: oneLine(subject), end: new Date(validTo), setting };
    return [row];
  });
  return (await Promise.all(found)).flat();
}

const oneLine = (subject: string) => subject.replaceAll("\n", ", ");

type Shown = {
  readonly timeZone: string;
  readonly now: Date;
  readonly keyChanges: ReadonlyMap<string, Date>;
};

function keyColumns(
  texts: StaffTexts,
  { timeZone, now, keyChanges }: Shown,
): readonly Column<KeyRow>[] {
  const { columns, kinds, noEnd, unchanged, daysLeft, over } = texts.keys;
  const changedAt = ({ setting = "none" }: KeyRow) => keyChanges.get(setting);
  const end = instantCell(texts, timeZone, (row: KeyRow) => row.end, noEnd);
  const left = (row: KeyRow) => {
    if (row.end === undefined) return noEnd;
    const days = Math.floor((row.end.getTime() - now.getTime()) / DAY_MS);
    return days < 0 ? over : daysLeft(days, days < SOON_DAYS);
  };
  return columnsOf(columns, {
    what: ({ what }: KeyRow) => kinds[what],
    subject: ({ subject }) => subject,
    changed: instantCell(texts, timeZone, changedAt, unchanged),
    end,
    left: { ...end, text: left },
  });
}
