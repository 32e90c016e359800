import type { Config } from "@/lib/config";
import { aspspProfile } from "@/lib/domain/aspsp-profile";
import { after } from "@/lib/domain/clock";
import type { AccountConsent } from "@/lib/domain/consent/account-consent";
import type { PsuId } from "@/lib/domain/identifiers";
import { inMemoryBank } from "@/lib/domain/testing/in-memory-bank";
import {
  account,
  ana,
  current,
  later,
  now,
  receivedConsent,
  tpp,
} from "@/lib/domain/testing/samples";
import type { Interaction, PsuHouse, PsuSessionStore } from "../house";

export const WEB_URL = "http://localhost:3000";
export const ISSUER = "https://localhost:8443";
export const uid = "interaction-of-ana";
export const savings = account("second", "RO75DRWB0000000000000009");

/** Keeps the ends as the store's contract says: both limits are inclusive. */
function sessionsInMemory() {
  const rows = new Map<string, { psuId: PsuId; created: Date; seen: Date; revoked: boolean }>();
  const store: PsuSessionStore = {
    open: async (hash, psuId, at) => {
      rows.set(hash, { psuId, created: at, seen: at, revoked: false });
    },
    touch: async (hash, at, inactivityMinutes, sessionMinutes) => {
      const row = rows.get(hash);
      if (row === undefined || row.revoked) return undefined;
      if (row.seen < after(at, -inactivityMinutes, "minute")) return undefined;
      if (row.created < after(at, -sessionMinutes, "minute")) return undefined;
      row.seen = at;
      return row.psuId;
    },
    revoke: async (hash) => {
      const row = rows.get(hash);
      if (row !== undefined) row.revoked = true;
    },
  };
  return { rows, store };
}

type Setup = { readonly webUrl?: string; readonly nok?: string; readonly redirectUri?: string };

/** The bank's desk with one authorisation request waiting, everything in memory. */
export async function desk(given: Setup = {}) {
  const { bank, ports } = inMemoryBank();
  bank.accountsOf.set(ana, [current, savings]);
  const consent = await receivedConsent(ports);
  const change = (changed: Partial<typeof first>) => {
    const found = bank.authorisations.get(consent.authorisationId);
    if (found !== undefined) bank.authorisations.set(found.id, { ...found, ...changed });
  };
  const first = bank.authorisations.get(consent.authorisationId);
  if (first === undefined) throw new Error("no authorisation");
  const redirectUri = given.redirectUri ?? "https://tpp.example/cb";
  change({ wayBack: { redirectUri, ...(given.nok && { nokRedirectUri: given.nok }) } });

  const sessions = sessionsInMemory();
  const open = new Map<string, Interaction>([[uid, interactionOf(consent, uid)]]);
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
        return `${WEB_URL}/auth/${accepted}`;
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
    consent,
    open,
    calls,
    sessions: sessions.rows,
    change,
    authorisation: () => bank.authorisations.get(consent.authorisationId) ?? first,
    /** Lets minutes pass. */
    wait: (minutes: number) => {
      at = later(minutes, at);
    },
  };
}

export type Desk = Awaited<ReturnType<typeof desk>>;

export function interactionOf(consent: AccountConsent, uid: string): Interaction {
  return {
    uid,
    clientId: consent.tppId,
    kind: "AIS",
    resourceId: consent.id,
    state: "state of the TPP",
    redirectUri: "https://tpp.example/cb",
  };
}
