import { randomInt } from "node:crypto";
import { clientId, makeCertificates } from "@/cli/tpp/certificates";
import { type HttpReply, http, text } from "@/cli/tpp/http";
import { seal, signed } from "@/cli/tpp/signing";
import { xs2a } from "@/cli/tpp/xs2a";
import type { ServerSettings } from "@/e2e/harness/server";
import type { TransactionStatus } from "@/lib/domain/payment-order";
import { attempting, inWords, notingFaults } from "./attempts";
import { consentCalls } from "./consent-calls";
import { type Answer, type Notebook, paymentOf } from "./journal";
import type { Order } from "./order";
import { readCalls } from "./read-calls";
import type { Tally } from "./tally";
import type { Traffic } from "./traffic";

/** Nothing listens there: the PSU's browser stops before it. */
export const REDIRECT_URI = "http://localhost:9/back";

/** Where everybody in a run writes down what happens. */
export type Run = {
  readonly bank: ServerSettings;
  readonly notebook: Notebook;
  readonly tally: Tally;
  readonly traffic: Traffic;
  /**
   * What the run breaks. An answer: it can be lost, and the bank never says that it has a fault. The
   * database: that the bank cannot answer now is honest, in its one form. Nothing: no request may fail.
   */
  readonly mayFail: "an answer" | "the database" | "nothing";
};

export type PayingTpp = Awaited<ReturnType<typeof payingTpp>>;

/** A TPP that keeps a journal. Each call is one attempt; undefined when the bank gave no answer to it. */
export async function payingTpp(run: Run) {
  const { bank, notebook, tally } = run;
  const id = `PSDRO-NBR-${randomInt(1_000_000, 9_999_999)}`;
  const organisation = {
    id,
    name: `Payments ${id}`,
    roles: ["PSP_PI", "PSP_AI", "PSP_IC"],
  } as const;
  const certificates = await makeCertificates(bank.dataDir, organisation);
  const sealing = seal(certificates.qseal.pem, certificates.qseal.key);
  const connection = http({ certificate: certificates.qwac, ca: certificates.ca });
  const attempt = attempting(run, connection);

  return {
    id: clientId(certificates),
    http: notingFaults(run, connection),
    /** For what is asked while nothing is broken. */
    api: xs2a({ url: bank.xs2aUrl, http: connection, seal: sealing }),
    ...consentCalls(run, sealing, attempt),
    ...readCalls(run, sealing, attempt),

    /** Sends the order, or its other body under the same X-Request-ID. */
    initiate: async (order: Order, body = order.bodies[0]): Promise<Answer | undefined> => {
      const bytes = body ?? new Uint8Array();
      const headers = signed(sealing, bytes, {
        accept: "application/json",
        "content-type": "application/json",
        "x-request-id": order.requestId,
        "psu-ip-address": "192.0.2.1",
        "tpp-redirect-uri": REDIRECT_URI,
      });
      const url = `${bank.xs2aUrl}${order.path}`;
      tally["initiations sent"] += 1;
      const reply = await attempt("initiation", { method: "POST", url, headers, body: bytes });
      if (reply === undefined) return undefined;
      tally["initiations answered"] += 1;
      const answer = answerOf(order, reply);
      notebook.answers.push(answer);
      if (paymentOf(answer) === undefined) notebook.oddities.push(inWords("POST", reply));
      return answer;
    },

    status: async (
      order: Order,
      paymentId: string,
    ): Promise<TransactionStatus | "refused" | undefined> => {
      const headers = signed(sealing, new Uint8Array(), { accept: "application/json" });
      const url = `${bank.xs2aUrl}${order.path}/${paymentId}/status`;
      const reply = await attempt("other", { method: "GET", url, headers });
      if (reply === undefined) return undefined;
      if (reply.status !== 200) {
        notebook.oddities.push(inWords("GET status", reply));
        return "refused";
      }
      const { transactionStatus: status } = JSON.parse(text(reply.body)) as StatusBody;
      notebook.sightings.push({ paymentId, status });
      return status;
    },

    close: () => connection.close(),
  };
}

type StatusBody = { readonly transactionStatus: TransactionStatus };

function answerOf({ requestId }: Order, { status, headers, body }: HttpReply): Answer {
  return { requestId, status, body: text(body), location: headers["location"] };
}
