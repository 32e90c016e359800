import type { Config } from "@/lib/config";
import { aspspProfile } from "@/lib/domain/aspsp-profile";
import type { AccountConsent } from "@/lib/domain/consent/account-consent";
import type { ConsentId } from "@/lib/domain/identifiers";
import type { Authorisation } from "@/lib/domain/sca/authorisation";
import { type InMemoryBank, inMemoryBank } from "@/lib/domain/testing/in-memory-bank";
import {
  account,
  ana,
  current,
  later,
  multiEur,
  now,
  receivedConsent,
  tpp,
} from "@/lib/domain/testing/samples";
import type { Interaction, PsuHouse } from "../house";
import { type AskedOrder, receivedFundsConsent, receivedPayment } from "./resources";
import { sessionsInMemory } from "./sessions-in-memory";

export const WEB_URL = "http://localhost:3000";
export const ISSUER = "https://localhost:8443";
export const uid = "interaction-of-ana";
export const savings = account("second", "RO75DRWB0000000000000009");

export type Setup = {
  readonly webUrl?: string;
  readonly nok?: string;
  readonly redirectUri?: string;
};

/** The bank's desk with one authorisation request waiting, everything in memory. */
export async function desk(given: Setup = {}) {
  const house = inMemoryBank();
  house.bank.accountsOf.set(ana, [current, savings]);
  const consent = await receivedConsent(house.ports);
  return { ...deskWith(house, "AIS", consent, given), consent };
}

/** The same with a payment that waits. */
export function paymentDesk(given: Setup & AskedOrder = {}) {
  const house = inMemoryBank();
  house.bank.accountsOf.set(ana, [current, savings, multiEur]);
  const payment = receivedPayment(house, given);
  const ours = deskWith(house, "PIS", payment, given);
  return { ...ours, payment: () => house.bank.payments.get(payment.id) ?? payment };
}

/** The same with a confirmation of funds consent that waits. */
export function fundsDesk(given: Setup & Parameters<typeof receivedFundsConsent>[1] = {}) {
  const house = inMemoryBank();
  house.bank.accountsOf.set(ana, [current, savings, multiEur]);
  const consent = receivedFundsConsent(house, given);
  const ours = deskWith(house, "PIIS", consent, given);
  return { ...ours, consent: () => house.bank.fundsConsents.get(consent.id) ?? consent };
}

type Resource = Pick<AccountConsent, "tppId" | "authorisationId"> & { readonly id: string };

function deskWith(
  { bank, ports }: ReturnType<typeof inMemoryBank>,
  kind: Authorisation["kind"],
  resource: Resource,
  given: Setup,
) {
  const { change, authorisation } = authorisationOf(bank, resource);
  const redirectUri = given.redirectUri ?? "https://tpp.example/cb";
  change({ wayBack: { redirectUri, ...(given.nok && { nokRedirectUri: given.nok }) } });

  const sessions = sessionsInMemory();
  const open = new Map<string, Interaction>([[uid, interactionOf(resource, uid, kind)]]);
  const calls: string[] = [];
  let at = now;
  const house: PsuHouse = {
    ...ports,
    profile: aspspProfile,
    clock: { now: async () => at },
    tppRegister: { ...ports.tppRegister, find: async () => tpp },
    config: {
      WEB_URL: given.webUrl ?? WEB_URL,
      XS2A_URL: ISSUER,
      SANDBOX: true,
      SESSION_SECRET: "a-secret-of-thirty-two-characters",
    } as Config,
    psuSessions: sessions.store,
    interactions: {
      read: async (wanted, cookie) =>
        cookie.includes(`_interaction=${wanted}`) ? open.get(wanted) : undefined,
      accept: async ({ uid: accepted }) => {
        calls.push(`accept ${accepted}`);
        const ended = bank.consents.get(resource.id as ConsentId)?.status === "terminatedByTpp";
        return ended ? undefined : `${WEB_URL}/auth/${accepted}`;
      },
      refuse: async (refused) => {
        calls.push(`refuse ${refused}`);
        open.delete(refused);
      },
    },
  };
  return {
    bank,
    house,
    open,
    calls,
    sessions: sessions.rows,
    change,
    authorisation,
    /** Lets minutes pass. */
    wait: (minutes: number) => {
      at = later(minutes, at);
    },
  };
}

/** What a browser needs of a desk, whatever waits there. */
export type Desk = ReturnType<typeof deskWith>;

function authorisationOf({ authorisations }: InMemoryBank, { authorisationId }: Resource) {
  const authorisation = (): Authorisation => {
    const found = authorisations.get(authorisationId);
    if (found === undefined) throw new Error("no authorisation");
    return found;
  };
  const change = (changed: Partial<Authorisation>) => {
    authorisations.set(authorisationId, { ...authorisation(), ...changed });
  };
  return { authorisation, change };
}

export function interactionOf(
  { id, tppId }: Resource,
  uid: string,
  kind: Authorisation["kind"] = "AIS",
): Interaction {
  return {
    uid,
    clientId: tppId,
    kind,
    resourceId: id,
    state: "state of the TPP",
    redirectUri: "https://tpp.example/cb",
  };
}
