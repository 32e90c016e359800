import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { eq } from "drizzle-orm";
import { type AuthorisationRequest, granted, oauth } from "@/clients/typescript/src";
import { authorisation } from "@/drizzle/schema/drawbridge";
import type { ResourceKind } from "@/lib/domain/authorisation";
import { revokeAccountConsent } from "@/lib/domain/consents";
import { revokeFundsConsent } from "@/lib/domain/funds";
import type { AuthorisationId, ConsentId } from "@/lib/domain/values";
import { authorisationStore } from "@/lib/postgres/authorisations";
import type { Database } from "@/lib/postgres/client";
import { consentStore } from "@/lib/postgres/consents";
import { fundsConsentStore } from "@/lib/postgres/funds";
import { aspspProfile } from "@/lib/testing-profile";
import { bankDayAt } from "../bank-time";
import { type BankClock, goingBy } from "../clock";
import { consentRequest, oneOff } from "../consent-request";
import { COMPANY, instant } from "../payment-request";
import type { TestTpp } from "../test-tpp";
import type { People, Walker } from "./people";

export const wishes = ["recurring", "one-off", "funds", "payment"] as const;
export type Wish = (typeof wishes)[number];
export const kindOf: Readonly<Record<Wish, ResourceKind>> = {
  recurring: "AIS",
  "one-off": "AIS",
  funds: "PIIS",
  payment: "PIS",
};

/** One request of the TPP, and all that the TPP and the bank's staff can do and see of it. */
export type Asking = {
  readonly wish: Wish;
  readonly link: string;
  readonly state: string;
  readonly scaStatus: () => Promise<string>;
  readonly resourceStatus: () => Promise<string>;
  /** The bank's own row, for what two answers at once have made of it. */
  readonly row: () => Promise<typeof authorisation.$inferSelect>;
  /** Rejects when the code is worth nothing. */
  readonly redeem: (cameBack: URL) => Promise<unknown>;
  readonly withdraw?: () => Promise<void>;
  /** By the bank, for the PSU who has authorised it. */
  readonly revoke?: () => Promise<void>;
};

type Setting = {
  readonly tpp: TestTpp;
  readonly clock: BankClock;
  readonly callbacks: CallbackServer;
  readonly people: People;
};
export type AsksFor = (wish: Wish, walker: Walker) => Promise<Asking>;

/** A TPP that asks for anything, and leads its PSUs back to one address. */
export function asking({ tpp: plain, clock, callbacks, people }: Setting): AsksFor {
  const redirects = {
    redirectUri: `${callbacks.origin}/callback`,
    nokRedirectUri: `${callbacks.origin}/nok`,
  };
  const tpp = goingBy(clock, plain);
  const { bank } = tpp;
  let server: ReturnType<typeof oauth> | undefined;

  async function begin(scope: string, scaOAuth: string): Promise<Begun> {
    server ??= oauth(scaOAuth, tpp.id, tpp.http);
    const known = await server;
    const request = known.authorise(scope, redirects.redirectUri);
    return { request, redeem: (cameBack) => known.token(cameBack, request) };
  }

  function rowOf(id: string) {
    return async () => {
      const found = people.db.select().from(authorisation);
      const [row] = await found.where(eq(authorisation.id, id as AuthorisationId));
      if (row === undefined) throw new Error("the bank knows no such authorisation");
      return row;
    };
  }

  const common = (wish: Wish, { request, redeem }: Begun, authorisationId: string) => ({
    wish,
    link: request.url.href,
    state: request.state,
    redeem,
    row: rowOf(authorisationId),
  });

  async function accounts(wish: "recurring" | "one-off"): Promise<Asking> {
    const today = bankDayAt(clock.now());
    const consent =
      wish === "one-off"
        ? oneOff({ validUntil: today })
        : consentRequest({ validUntil: bankDayAt(clock.now(), 90) });
    const { consentId, _links } = granted(await bank.createConsent(consent, redirects));
    const id = lastPart(_links.scaStatus.href);
    const begun = await begin(`AIS:${consentId}`, _links.scaOAuth.href);
    return {
      ...common(wish, begun, id),
      scaStatus: async () => granted(await bank.scaStatus(consentId, id)).scaStatus,
      resourceStatus: async () => granted(await bank.consentStatus(consentId)).consentStatus,
      withdraw: async () => {
        await bank.deleteConsent(consentId);
      },
      revoke: () => revokeAt(people.db, "AIS", consentId as ConsentId, clock.now()),
    };
  }

  async function funds({ iban }: Walker): Promise<Asking> {
    const created = await bank.createFundsConsent({ account: { iban } }, redirects);
    const { consentId, _links } = granted(created);
    const id = lastPart(_links.scaStatus.href);
    const begun = await begin(`PIIS:${consentId}`, _links.scaOAuth.href);
    return {
      ...common("funds", begun, id),
      scaStatus: async () => granted(await bank.fundsScaStatus(consentId, id)).scaStatus,
      resourceStatus: async () => granted(await bank.fundsConsentStatus(consentId)).consentStatus,
      withdraw: async () => {
        await bank.deleteFundsConsent(consentId);
      },
      revoke: () => revokeAt(people.db, "PIIS", consentId as ConsentId, clock.now()),
    };
  }

  async function payment({ iban }: Walker): Promise<Asking> {
    const { product, payment: order } = instant({
      debtorAccount: { iban },
      instructedAmount: { currency: "RON", amount: "1.00" },
      creditorAccount: { iban: COMPANY },
    });
    const { paymentId, _links } = granted(await bank.createPayment(product, order, redirects));
    const id = lastPart(_links.scaStatus.href);
    const begun = await begin(`PIS:${paymentId}`, _links.scaOAuth.href);
    const address = { product, paymentId };
    return {
      ...common("payment", begun, id),
      scaStatus: async () => granted(await bank.paymentScaStatus(address, id)).scaStatus,
      resourceStatus: async () => granted(await bank.paymentStatus(address)).transactionStatus,
    };
  }

  return async (wish, walker) => {
    if (wish === "funds") return funds(walker);
    return wish === "payment" ? payment(walker) : accounts(wish);
  };
}

type Begun = {
  readonly request: AuthorisationRequest;
  readonly redeem: (cameBack: URL) => Promise<unknown>;
};

function lastPart(href: string): string {
  return String(href.split("/").at(-1));
}

/** What `npm run bank -- revoke` does, without a process of its own for each. */
async function revokeAt(
  db: Database,
  kind: "AIS" | "PIIS",
  id: ConsentId,
  now: Date,
): Promise<void> {
  const ports = { authorisations: authorisationStore(db), profile: aspspProfile };
  const consents = consentStore(db);
  const fundsConsents = fundsConsentStore(db);
  const { psuId } = (await (kind === "AIS" ? consents : fundsConsents).find(id)) ?? {};
  if (psuId === undefined) return;
  await (kind === "AIS"
    ? revokeAccountConsent({ ...ports, consents }, { id, psuId, now })
    : revokeFundsConsent({ ...ports, fundsConsents }, { id, psuId, now }));
}

/** Where the TPP's PSUs come back to. Other than the TPP's own listener it keeps what comes twice. */
export type CallbackServer = {
  readonly origin: string;
  /** All that has come with this state since it was last asked, in order. */
  readonly received: (state: string) => readonly string[];
  readonly close: () => Promise<void>;
};

const PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Back at the TPP</title>
<link rel="icon" href="data:,"><h1>Back at the TPP</h1></html>`;

export async function callbackServer(): Promise<CallbackServer> {
  const came = new Map<string, string[]>();
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", origin);
    const state = url.searchParams.get("state") ?? "none";
    came.set(state, [...(came.get(state) ?? []), url.href]);
    const headers = { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" };
    response.writeHead(200, { ...headers, "referrer-policy": "no-referrer" }).end(PAGE);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "localhost", resolve);
  });
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    received: (state) => {
      const found = came.get(state) ?? [];
      came.delete(state);
      return found;
    },
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
