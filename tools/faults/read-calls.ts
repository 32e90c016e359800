import { type HttpReply, text } from "@/cli/tpp/http";
import { type Seal, signed } from "@/cli/tpp/signing";
import { AISP, CBPII, type Permission } from "@/cli/tpp/xs2a";
import { type Attempt, inWords } from "./attempts";
import type { Run } from "./tpp";

/** A PSU's, so that no budget of a day ends the reading. */
const PSU_IP_ADDRESS = "198.51.100.7";

/** A TPP's reads and funds checks, each one attempt: what is answered has to be in the access log, once. */
export function readCalls(
  { bank, notebook, tally }: Pick<Run, "bank" | "notebook" | "tally">,
  sealing: Seal,
  attempt: Attempt,
) {
  const shown = ({ consentId, accessToken }: Permission) => ({
    accept: "application/json",
    "consent-id": consentId,
    authorization: `Bearer ${accessToken}`,
  });

  return {
    /** What is below `/accounts`, or that itself. */
    read: async (below: string, permission: Permission): Promise<HttpReply | undefined> => {
      const attended = { ...shown(permission), "psu-ip-address": PSU_IP_ADDRESS };
      const headers = signed(sealing, new Uint8Array(), attended);
      notebook.readsSent.push(permission.consentId);
      const url = `${bank.xs2aUrl}${AISP}/accounts${below}`;
      const reply = await attempt("other", { method: "GET", url, headers });
      if (reply === undefined) return undefined;
      if (reply.status !== 200) {
        notebook.oddities.push(inWords("GET accounts", reply));
        return undefined;
      }
      notebook.readsAnswered.push(permission.consentId);
      tally["reads answered"] += 1;
      return reply;
    },

    /** One more than the consent has saved up is refused, and no line of the log. */
    checkFunds: async (iban: string, permission: Permission): Promise<void> => {
      const question = { account: { iban }, instructedAmount: { currency: "EUR", amount: "1.00" } };
      const body = Buffer.from(JSON.stringify(question));
      const type = { "content-type": "application/json" };
      const headers = signed(sealing, body, { ...shown(permission), ...type });
      notebook.readsSent.push(permission.consentId);
      const url = `${bank.xs2aUrl}${CBPII}/v1/funds-confirmations`;
      const reply = await attempt("other", { method: "POST", url, headers, body });
      if (reply === undefined || reply.status === 429) return;
      if (reply.status !== 200 || JSON.parse(text(reply.body)).fundsAvailable !== true) {
        notebook.oddities.push(inWords("POST funds check", reply));
        return;
      }
      notebook.readsAnswered.push(permission.consentId);
      tally["funds checks answered"] += 1;
    },
  };
}
