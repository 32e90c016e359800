import { createHash, randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { replaceFile } from "@/lib/files";

/** Of the demo TPP, which is no part of the bank: what it knows stands in files of its own, as a TPP's would. */
const VISITS_MAX = 200;
const EXCHANGES_MAX = 60;
const BODY_CHARACTERS_MAX = 20_000;

const headers = z.record(z.string(), z.string());
const exchange = z.object({
  /** Of the bank's clock. */
  at: z.iso.datetime(),
  milliseconds: z.number(),
  method: z.string(),
  url: z.string(),
  headers,
  body: z.string(),
  status: z.number(),
  replyHeaders: headers,
  replyBody: z.string(),
});

const amount = z.object({ currency: z.string(), amount: z.string() });
const balances = z.array(z.object({ balanceType: z.string(), balanceAmount: amount }));
const transactions = z.array(
  z.object({
    bookingDate: z.string().optional(),
    transactionAmount: amount,
    creditorName: z.string().optional(),
    debtorName: z.string().optional(),
    remittanceInformationUnstructured: z.string().optional(),
  }),
);
const account = z.object({
  iban: z.string(),
  currency: z.string(),
  name: z.string().optional(),
  balances,
  transactions,
});

const visit = z.object({
  kind: z.enum(["accounts", "funds", "payment"]),
  /** The consent, or the payment. */
  resourceId: z.string().optional(),
  /** Of the funds that are asked for. */
  question: z
    .object({ account: z.object({ iban: z.string() }), instructedAmount: amount })
    .optional(),
  /** Until the PSU has come back from the bank. */
  authorisation: z
    .object({ url: z.string(), scaOAuth: z.string(), state: z.string(), codeVerifier: z.string() })
    .optional(),
  accessToken: z.string().optional(),
  accounts: z.array(account).optional(),
  fundsAvailable: z.boolean().optional(),
  statuses: z.array(z.object({ at: z.iso.datetime(), status: z.string() })).optional(),
  /** In the bank's words. */
  refusal: z.string().optional(),
  exchanges: z.array(exchange),
});

export type RecordedExchange = z.infer<typeof exchange>;
export type DemoAccount = z.infer<typeof account>;
/** What the demo TPP was last asked for in a browser, and all that it has sent for it. */
export type Visit = z.infer<typeof visit>;

const SESSION_ID = /^[\w-]{43}$/;

export function newSessionId(): string {
  return randomBytes(32).toString("base64url");
}

/** Undefined for a session that is unknown, or was too long ago. */
export async function readVisit(
  folder: string,
  sessionId: string | undefined,
): Promise<Visit | undefined> {
  if (sessionId === undefined || !SESSION_ID.test(sessionId)) return undefined;
  const text = await readFile(fileOf(folder, sessionId), "utf8").catch(() => undefined);
  return text === undefined ? undefined : visit.safeParse(JSON.parse(text)).data;
}

/** The newest of two that are kept at once stays, each whole; the oldest visits go. */
export async function keepVisit(folder: string, sessionId: string, kept: Visit): Promise<void> {
  const visits = join(folder, "visits");
  await mkdir(visits, { recursive: true, mode: 0o700 });
  const exchanges = kept.exchanges.slice(-EXCHANGES_MAX).map((one) => ({
    ...one,
    body: one.body.slice(0, BODY_CHARACTERS_MAX),
    replyBody: one.replyBody.slice(0, BODY_CHARACTERS_MAX),
  }));
  await replaceFile(fileOf(folder, sessionId), JSON.stringify({ ...kept, exchanges }), 0o600);
  await removeOldest(visits);
}

async function removeOldest(visits: string): Promise<void> {
  const names = await readdir(visits);
  if (names.length <= VISITS_MAX) return;
  const files = await Promise.all(
    names.map(async (name) => {
      const file = join(visits, name);
      // Another process may have removed it just now.
      const found = await stat(file).catch(() => undefined);
      return { file, changed: found?.mtimeMs ?? 0 };
    }),
  );
  const oldest = files.toSorted((one, other) => one.changed - other.changed);
  const removed = oldest.slice(0, names.length - VISITS_MAX);
  await Promise.all(removed.map(({ file }) => rm(file, { force: true })));
}

/** The cookie itself is kept nowhere. */
function fileOf(folder: string, sessionId: string): string {
  return join(folder, "visits", createHash("sha256").update(sessionId).digest("hex"));
}
