import {
  type CallOptions,
  type Permission,
  type Redirects,
  type SignedRequest,
  visitHeaders,
} from "./call";
import { funds } from "./funds";
import type { Http } from "./http";
import { payments } from "./payments";
import { type Reply, replyOf } from "./reply";
import { type Seal, signed } from "./signing";
import type {
  Account,
  AccountReference,
  Balance,
  Consent,
  ConsentCreated,
  ConsentRequest,
  Transaction,
  TransactionReport,
} from "./wire";

export type TransactionQuery = {
  readonly bookingStatus: "booked" | "pending" | "both" | "information" | "all";
  readonly dateFrom?: string;
  readonly dateTo?: string;
};

type Xs2aOptions = {
  /** The TPP host, e.g. `https://localhost:8443`. */
  readonly url: string;
  readonly http: Http;
  readonly seal: Seal;
  /**
   * Where the PSU is. Left out, every data call counts as unattended, and what the PSU is to authorise
   * needs it as `psu-ip-address` in the call's `headers`.
   */
  readonly psuIpAddress?: string;
  /** The time that is signed in `Date`; this machine's when not given. */
  readonly now?: () => Date;
};

export const AISP = "/open-banking/v3.1/aisp/v1";

export type Xs2a = ReturnType<typeof xs2a>;

/** What a TPP asks of one bank, as the standard has it; every call is signed. */
export function xs2a({ url, http, seal, psuIpAddress, now = () => new Date() }: Xs2aOptions) {
  const psu = psuIpAddress === undefined ? {} : { "psu-ip-address": psuIpAddress };

  async function call<Body>(
    method: string,
    target: string,
    { headers = {}, body, edit }: CallOptions & { readonly body?: unknown } = {},
  ): Promise<Reply<Body>> {
    const bytes = body === undefined ? new Uint8Array() : Buffer.from(JSON.stringify(body));
    const type = body === undefined ? {} : { "content-type": "application/json" };
    const always = { accept: "application/json", date: now().toUTCString() };
    const request: SignedRequest = {
      method,
      url: new URL(target, url).href,
      headers: signed(seal, bytes, { ...always, ...type, ...headers }),
      ...(body !== undefined && { body: bytes }),
    };
    return replyOf(await http.send(edit?.(request) ?? request));
  }

  const get = <Body>(target: string, options: CallOptions = {}) =>
    call<Body>("GET", target, options);
  const read = <Body>(target: string, { consentId, accessToken }: Permission, more?: CallOptions) =>
    get<Body>(target, {
      ...more,
      headers: {
        ...psu,
        "consent-id": consentId,
        authorization: `Bearer ${accessToken}`,
        ...more?.headers,
      },
    });
  const consentPath = (id: string) => `${AISP}/consents/${encodeURIComponent(id)}`;
  const accountPath = (id: string) => `${AISP}/accounts/${encodeURIComponent(id)}`;

  return {
    /** Any call, signed like the others. */
    call,
    ...payments({ call, psuIpAddress }),
    ...funds({ call, psuIpAddress }),

    createConsent: async (consent: ConsentRequest, redirects: Redirects, more: CallOptions = {}) =>
      call<ConsentCreated>("POST", `${AISP}/consents`, {
        ...more,
        body: consent,
        headers: visitHeaders(psuIpAddress, redirects, more),
      }),
    consent: (id: string, more?: CallOptions) => get<Consent>(consentPath(id), more),
    consentStatus: (id: string, more?: CallOptions) =>
      get<{ readonly consentStatus: string }>(`${consentPath(id)}/status`, more),
    deleteConsent: (id: string, more?: CallOptions) =>
      call<undefined>("DELETE", consentPath(id), more),
    authorisations: (id: string, more?: CallOptions) =>
      get<{ readonly authorisationIds: readonly string[] }>(
        `${consentPath(id)}/authorisations`,
        more,
      ),
    scaStatus: (id: string, authorisationId: string, more?: CallOptions) =>
      get<{ readonly scaStatus: string }>(
        `${consentPath(id)}/authorisations/${encodeURIComponent(authorisationId)}`,
        more,
      ),

    accounts: (permission: Permission, withBalance = false, more?: CallOptions) =>
      read<{ readonly accounts: readonly Account[] }>(
        `${AISP}/accounts${withBalance ? "?withBalance=true" : ""}`,
        permission,
        more,
      ),
    account: (permission: Permission, id: string, withBalance = false, more?: CallOptions) =>
      read<{ readonly account: Account }>(
        `${accountPath(id)}${withBalance ? "?withBalance=true" : ""}`,
        permission,
        more,
      ),
    balances: (permission: Permission, id: string, more?: CallOptions) =>
      read<{ readonly account?: AccountReference; readonly balances: readonly Balance[] }>(
        `${accountPath(id)}/balances`,
        permission,
        more,
      ),
    transactions: (
      permission: Permission,
      id: string,
      query: TransactionQuery,
      more?: CallOptions,
    ) =>
      read<TransactionReport>(
        `${accountPath(id)}/transactions?${new URLSearchParams({ ...query })}`,
        permission,
        more,
      ),
    /** The page behind a `next` link. */
    nextTransactions: (permission: Permission, next: string, more?: CallOptions) =>
      read<TransactionReport>(next, permission, more),
    transaction: (
      permission: Permission,
      accountId: string,
      transactionId: string,
      more?: CallOptions,
    ) =>
      read<{ readonly transactionsDetails: Transaction }>(
        `${accountPath(accountId)}/transactions/${encodeURIComponent(transactionId)}`,
        permission,
        more,
      ),
  };
}
