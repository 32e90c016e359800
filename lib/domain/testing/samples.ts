import type { AccessRequest, BankAccount, Transaction } from "../accounts";
import { type AccountConsent, createAccountConsent } from "../consents";
import type { CodeWording } from "../dynamic-linking";
import type { Ports } from "../ports";
import { completeAuthorisation, identifyPsu, selectAccounts } from "../sca";
import type { Tpp } from "../tpp";
import type {
  AccountId,
  Currency,
  Iban,
  IsoDate,
  PsuId,
  RequestId,
  TppId,
  TransactionId,
} from "../values";
import type { InMemoryBank } from "./in-memory-authorisations";

export const now = new Date("2026-11-20T10:00:00Z");
export const later = (minutes: number, from = now) => new Date(from.getTime() + minutes * 60_000);
export const ana = "ana" as PsuId;
export const RON = "RON" as Currency;
export const EUR = "EUR" as Currency;

export const tpp: Tpp = {
  id: "PSDRO-NBR-1234567" as TppId,
  name: "Example TPP",
  authorityName: "National Bank of Romania",
  authorityId: "RO-NBR",
  roles: ["PSP_AI"],
};

export const newRequestId = () => crypto.randomUUID() as string as RequestId;

export const everything: AccessRequest = {
  model: "bankOffered",
  rights: { balances: true, transactions: true, ownerName: false },
  named: [],
};

export function account(id: string, iban: string, currency: Currency = RON): BankAccount {
  return {
    id: id as AccountId,
    iban: iban as Iban,
    currency,
    bic: "DRWBROBU",
    name: `Account ${id}`,
    product: "Current account",
    usage: "PRIV",
    status: "enabled",
    isDefault: currency === RON,
    owners: [{ name: "Ana Popescu", role: "owner" }],
  };
}

export const current = account("current", "RO21DRWB0000000000000001");
export const multiRon = account("multi-ron", "RO91DRWB0000000000000002");
export const multiEur = account("multi-eur", "RO91DRWB0000000000000002", EUR);

export function entry(
  id: string,
  day: string,
  status: Transaction["status"] = "booked",
): Transaction {
  return {
    id: id as TransactionId,
    status,
    amount: { currency: RON, minorUnits: -1_250n },
    day: day as IsoDate,
    counterparty: { name: "Shop" },
    bankTransactionCode: "PMNT-ICDT-ESCT",
  };
}

type Asked = {
  readonly access?: AccessRequest;
  readonly recurringIndicator?: boolean;
  readonly frequencyPerDay?: number;
  readonly validUntil?: string;
};

/** A consent that has just been received. */
export async function receivedConsent(ports: Ports, asked: Asked = {}): Promise<AccountConsent> {
  const { consent } = await createAccountConsent(ports, {
    tpp,
    requestId: newRequestId(),
    bodyDigest: "digest",
    request: {
      requestedAccess: {},
      access: asked.access ?? everything,
      recurringIndicator: asked.recurringIndicator ?? true,
      validUntil: (asked.validUntil ?? "2027-02-01") as IsoDate,
      frequencyPerDay: asked.frequencyPerDay ?? 4,
    },
    redirectUris: { redirectUri: "https://tpp.example/cb" },
    now,
  });
  return consent;
}

/** A consent that ana has authorised for the given accounts. */
export async function validConsent(
  { bank, ports }: { readonly bank: InMemoryBank; readonly ports: Ports },
  asked: Asked = {},
  accounts: readonly BankAccount[] = [current],
): Promise<AccountConsent> {
  bank.accountsOf.set(ana, accounts);
  const consent = await receivedConsent(ports, asked);
  const authorisation = async () => {
    const found = await ports.authorisations.find(consent.authorisationId);
    if (found === undefined) throw new Error("no authorisation");
    return found;
  };
  const credentials = { userId: "ana", password: "ana-sandbox", now };
  await identifyPsu(ports, { authorisation: await authorisation(), ...credentials });
  const selected = accounts.map(({ id }) => id);
  const chosen = { authorisation: await authorisation(), selected, wording: speltOut, now };
  await selectAccounts(ports, chosen);
  const code = bank.texts.at(-1)?.code ?? "none";
  const completed = await completeAuthorisation(ports, {
    authorisation: await authorisation(),
    proof: { method: "code", code },
    now,
  });
  const made = bank.consents.get(consent.id);
  if (completed.outcome !== "finalised" || made === undefined) throw new Error("not authorised");
  return made;
}

/** In place of any language: a text message whose values can be read back. */
export const speltOut: CodeWording = (message) =>
  JSON.stringify(message, (_name, value) => (typeof value === "bigint" ? String(value) : value));

export const readBack = (text: string | undefined): unknown => JSON.parse(text ?? "null");
