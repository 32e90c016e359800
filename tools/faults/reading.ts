import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { text } from "@/cli/tpp/http";
import { type OAuth, oauth, type Token } from "@/cli/tpp/oauth";
import { granted } from "@/cli/tpp/reply";
import type { Permission } from "@/cli/tpp/xs2a";
import { bankDay, consentRequest } from "@/e2e/harness/consent-request";
import { authoriseAsPsu } from "@/tools/psu-by-forms";
import type { Customer } from "./customers";
import { insist } from "./insist";
import { type PayingTpp, REDIRECT_URI, type Run } from "./tpp";

const PAUSE_MS = 250;
/** Long before a token ends, so that faults fall into refreshes too. */
const REFRESH_MS = 5_000;

/** What a client reads beside its payments, with its PSU's permission. */
export type Reading = {
  /** While nothing is broken yet. */
  readonly begin: () => Promise<void>;
  readonly readUntil: (signal: AbortSignal) => Promise<void>;
};

/** A token that is renewed again and again. */
type Held = { readonly consentId: string; readonly show: () => Promise<Permission> };

export function reading(tpp: PayingTpp, run: Run, customer: Customer): Reading {
  const { bank, notebook, tally } = run;
  let held: { readonly accounts: Held; readonly funds: Held } | undefined;

  async function begin(): Promise<void> {
    held = { accounts: await permitted("AIS"), funds: await permitted("PIIS") };
  }

  async function permitted(kind: "AIS" | "PIIS"): Promise<Held> {
    const { consentId, _links } = granted(
      await (kind === "AIS" ? askForAccounts() : askForFunds()),
    );
    const server = await oauth(_links.scaOAuth.href, tpp.id, tpp.http);
    const request = await server.authorise(`${kind}:${consentId}`, REDIRECT_URI);
    const back = await authoriseAsPsu(request.url, REDIRECT_URI, bank.webUrl, customer);
    return renewed(consentId, server, await server.token(back, request));
  }

  async function askForAccounts() {
    const requestId = randomUUID();
    notebook.consentsAsked.push(requestId);
    const headers = { "x-request-id": requestId };
    const redirects = { redirectUri: REDIRECT_URI };
    return tpp.api.createConsent(consentRequest(), redirects, { headers });
  }

  function askForFunds() {
    const account = { iban: customer.accounts.EUR };
    return tpp.api.createFundsConsent({ account }, { redirectUri: REDIRECT_URI });
  }

  /** A refresh whose answer was lost is sent again, with the same token. */
  function renewed(consentId: string, server: OAuth, first: Token): Held {
    let token = first;
    let since = performance.now();
    const show = async () => {
      if (performance.now() - since > REFRESH_MS) {
        const { refreshToken } = token;
        if (refreshToken === undefined) throw new Error("the token cannot be refreshed");
        token = await insist(() => refreshed(server, refreshToken));
        since = performance.now();
        tally["tokens refreshed"] += 1;
      }
      return { consentId, accessToken: token.accessToken };
    };
    return { consentId, show };
  }

  function refreshed(server: OAuth, refreshToken: string) {
    return server.refresh(refreshToken).catch((error: unknown) => {
      const said = error instanceof Error ? error.message : String(error);
      // RFC 6749 5.2: the bank has answered, and says that the token or the client is none.
      if (isRefusal(error)) throw new Error(`a refresh was refused: ${said}`, { cause: error });
      if (run.mayFail === "nothing") notebook.failures.push(`refresh: ${said}`);
      return undefined;
    });
  }

  async function readUntil(signal: AbortSignal): Promise<void> {
    if (held === undefined) throw new Error("nothing was permitted yet");
    const { accounts, funds } = held;
    while (!signal.aborted) {
      const list = await tpp.read("", await accounts.show());
      const [account] = list === undefined ? [] : accountsIn(text(list.body));
      if (account !== undefined) {
        await tpp.read(`/${account}/balances`, await accounts.show());
        await tpp.read(`/${account}/transactions${BOOKED}`, await accounts.show());
      }
      await tpp.checkFunds(customer.accounts.EUR, await funds.show());
      await sleep(PAUSE_MS);
    }
  }

  return { begin, readUntil };
}

const BOOKED = `?bookingStatus=booked&dateFrom=${bankDay()}`;

function accountsIn(body: string): readonly string[] {
  const { accounts } = JSON.parse(body) as {
    readonly accounts: readonly { readonly resourceId: string }[];
  };
  return accounts.map(({ resourceId }) => resourceId);
}

function isRefusal(error: unknown): boolean {
  const status = error instanceof Error && "status" in error ? error.status : undefined;
  return typeof status === "number" && status >= 400 && status < 500;
}
