import { constants, setPriority } from "node:os";
import type { TppCertificates } from "@/cli/tpp/certificates";
import { clientId } from "@/cli/tpp/certificates";
import { http, seal, xs2a } from "@/clients/typescript/src";

/** Run by a campaign in a process of its own: a licensed TPP that asks for as much as it can, all the time. */
export type Greedy = {
  readonly xs2aUrl: string;
  readonly certificates: TppCertificates;
  readonly parallel: number;
  /** Of no PSU, and never used otherwise. */
  readonly consentIds: readonly string[];
  readonly granted: { readonly consentId: string; readonly accessToken: string };
  readonly accountId: string;
  readonly refreshToken: string;
};

/** What it was answered so far. */
export type Answered = {
  readonly answered: number;
  readonly tooMany: number;
  /** With 5xx or not at all. */
  readonly failed: number;
  /** With 200: whole histories of an account, and refreshed tokens. */
  readonly histories: number;
  readonly refreshes: number;
};

const TELLING_MS = 100;
const WHOLE_HISTORY = { bookingStatus: "booked", dateFrom: "2000-01-01" } as const;

process.once("message", (greedy: Greedy) => {
  // Who attacks has machines of their own: the processors here are the server's and those clients' who behave.
  setPriority(constants.priority.PRIORITY_LOW);
  const counts = { answered: 0, tooMany: 0, failed: 0, histories: 0, refreshes: 0 };
  const { certificates, xs2aUrl, consentIds, granted, accountId } = greedy;
  const connection = http({ certificate: certificates.qwac, ca: certificates.ca });
  const own = seal(certificates.qseal.pem, certificates.qseal.key);
  const psuIpAddress = "198.51.100.7";
  const api = xs2a({ url: xs2aUrl, http: connection, seal: own, psuIpAddress });
  // The same one all the time, which the bank takes for a minute: with its successors, of which each ends the one before,
  // calls that overtake each other would end them all.
  const form = { grant_type: "refresh_token", refresh_token: greedy.refreshToken };
  const refresh = async () => {
    const answer = await connection.send({
      method: "POST",
      url: `${xs2aUrl}/token`,
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: Buffer.from(
        new URLSearchParams({ client_id: clientId(certificates), ...form }).toString(),
      ),
    });
    if (answer.status === 200) counts.refreshes += 1;
    return answer;
  };
  const history = async () => {
    const answer = await api.transactions(granted, accountId, WHOLE_HISTORY);
    if (answer.status === 200) counts.histories += 1;
    return answer;
  };
  const asks = [
    (nth: number) => api.consentStatus(consentIds[nth % consentIds.length] ?? "none"),
    history,
    () => api.accounts(granted),
    refresh,
  ];

  async function again(first: number): Promise<never> {
    for (let nth = first; ; nth += 1) {
      const ask = asks[nth % asks.length] ?? refresh;
      const status = await ask(nth).then(
        (answer) => answer.status,
        () => 0,
      );
      if (status === 0 || status >= 500) counts.failed += 1;
      else if (status === 429) counts.tooMany += 1;
      else counts.answered += 1;
    }
  }

  setInterval(() => process.send?.(counts), TELLING_MS);
  for (let nth = 0; nth < greedy.parallel; nth += 1) void again(nth);
});
