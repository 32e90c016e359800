import { type HttpReply, text } from "@/cli/tpp/http";
import { type Seal, signed } from "@/cli/tpp/signing";
import { AISP } from "@/cli/tpp/xs2a";
import { consentRequest } from "@/e2e/harness/consent-request";
import { type Attempt, inWords } from "./attempts";
import type { ConsentAnswer } from "./journal";
import type { Run } from "./tpp";

/** Not the TPP's own address of payments: nobody ever comes back to it. */
const REDIRECT_URI = "http://localhost:9/consented";
const PATH = `${AISP}/consents`;
/** Of a consent that no PSU has seen; after a while the bank gives it up. */
const UNSEEN = ["received", "rejected"];

/** A TPP's calls about account consents, each one attempt, and noted like those about payments. */
export function consentCalls(
  { bank, notebook }: Pick<Run, "bank" | "notebook">,
  sealing: Seal,
  attempt: Attempt,
) {
  return {
    askForConsent: async (requestId: string): Promise<ConsentAnswer | undefined> => {
      notebook.consentsAsked.push(requestId);
      const body = Buffer.from(JSON.stringify(consentRequest()));
      const headers = signed(sealing, body, {
        accept: "application/json",
        "content-type": "application/json",
        "x-request-id": requestId,
        "psu-ip-address": "192.0.2.1",
        "tpp-redirect-uri": REDIRECT_URI,
      });
      const url = `${bank.xs2aUrl}${PATH}`;
      const reply = await attempt("consent", { method: "POST", url, headers, body });
      if (reply === undefined) return undefined;
      const answer = { requestId, consentId: consentOf(reply) };
      if (answer.consentId === undefined && !saysUsed(reply))
        notebook.oddities.push(inWords("POST consent", reply));
      notebook.consents.push(answer);
      return answer;
    },

    /** True when there was an answer, whatever it was. */
    consentStatus: async (consentId: string): Promise<true | undefined> => {
      const headers = signed(sealing, new Uint8Array(), { accept: "application/json" });
      const url = `${bank.xs2aUrl}${PATH}/${consentId}/status`;
      const reply = await attempt("other", { method: "GET", url, headers });
      if (reply === undefined) return undefined;
      const status = reply.status === 200 ? said(reply).consentStatus : undefined;
      if (!UNSEEN.includes(String(status)))
        notebook.oddities.push(inWords("GET consent status", reply));
      return true;
    },
  };
}

function consentOf(reply: HttpReply): string | undefined {
  const { consentId } = reply.status === 201 ? said(reply) : {};
  return typeof consentId === "string" ? consentId : undefined;
}

/** Whose answer was lost asks under a new id: the bank does not say the old one's consent again. */
function saysUsed(reply: HttpReply): boolean {
  const [message] = reply.status === 400 ? (said(reply).tppMessages ?? []) : [];
  return message?.code === "FORMAT_ERROR" && message.path === "X-Request-ID";
}

type Said = {
  readonly consentId?: unknown;
  readonly consentStatus?: unknown;
  readonly tppMessages?: readonly { readonly code?: unknown; readonly path?: unknown }[];
};

function said({ body }: HttpReply): Said {
  return JSON.parse(text(body)) as Said;
}
