import { granted, oauth, xs2a } from "@/clients/typescript/src";
import { bankDayAt } from "./bank-time";
import { consentRequest } from "./consent-request";
import type { ServerSettings } from "./server";
import { type Asked, askingToPay, type TestTpp } from "./test-tpp";

const PSU_IP_ADDRESS = "198.51.100.7";

type Reading = { readonly now: string; readonly moved: boolean; readonly offsetSeconds?: number };

export type BankClock = {
  readonly set: (instant: Date) => Promise<void>;
  /** An ISO 8601 duration. */
  readonly advance: (duration: string) => Promise<void>;
  readonly reset: () => Promise<void>;
  /** What the bank's clock says, as far as it was moved from here: the sandbox is on this machine. */
  readonly now: () => Date;
};

/** The clock of a bank's sandbox. Every test of that bank lives by it. */
export function bankClock({ webUrl }: Pick<ServerSettings, "webUrl">): BankClock {
  let offset = 0;
  const send = async (method: "PUT" | "DELETE", body?: object): Promise<void> => {
    const answer = await fetch(`${webUrl}/sandbox/clock`, {
      method,
      ...(body !== undefined && {
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
    });
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
    const { offsetSeconds = 0 } = (await answer.json()) as Reading;
    offset = offsetSeconds * 1_000;
  };
  return {
    set: (instant) => send("PUT", { now: instant.toISOString() }),
    advance: (duration) => send("PUT", { advance: duration }),
    reset: () => send("DELETE"),
    now: () => new Date(Date.now() + offset),
  };
}

/** The same TPP, signing with the time of this clock. */
export function goingBy(clock: Pick<BankClock, "now">, tpp: TestTpp): TestTpp {
  const call = { url: tpp.xs2aUrl, http: tpp.http, seal: tpp.seal, now: clock.now };
  const bank = xs2a({ ...call, psuIpAddress: PSU_IP_ADDRESS });
  const ninetyDays = () => consentRequest({ validUntil: bankDayAt(clock.now(), 90) });

  async function ask(request = ninetyDays(), withNok = true): Promise<Asked> {
    const { redirectUri, nokRedirectUri } = tpp;
    const redirects = { redirectUri, ...(withNok && { nokRedirectUri }) };
    const created = granted(await bank.createConsent(request, redirects));
    const { consentId, _links } = created;
    const server = await oauth(_links.scaOAuth.href, tpp.id, tpp.http);
    return {
      consentId,
      authorisationId: String(_links.scaStatus.href.split("/").at(-1)),
      server,
      request: server.authorise(`AIS:${consentId}`, redirectUri),
    };
  }
  const askToPay = askingToPay({ ...tpp, bank });
  return { ...tpp, bank, unattended: xs2a(call), ask, askToPay };
}
