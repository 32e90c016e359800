import type { Iban } from "../iban";
import { newAuthorisationId, newPaymentId } from "../identifiers";
import type { Payment } from "../payment/payment";
import { money } from "../payment/product-terms";
import { beginChallenge } from "../sca/begin-challenge";
import { completeAuthorisation } from "../sca/complete-authorisation";
import { identifyPsu } from "../sca/identify-psu";
import { startedAuthorisation } from "../sca/started-authorisation";
import type { inMemoryBank } from "./in-memory-bank";
import { ana, current, newRequestId, now, tpp } from "./samples";
import { speltOut } from "./spelt-out";

/** A payment of ana's, who has signed in and been sent the code. */
export async function paymentAtCode({ bank, ports }: ReturnType<typeof inMemoryBank>) {
  bank.accountsOf.set(ana, [current]);
  const payment: Payment = {
    id: newPaymentId(),
    tppId: tpp.id,
    authorisationId: newAuthorisationId(),
    order: {
      product: "instant-sepa-credit-transfers",
      amount: money("RON", 1_250n),
      debtor: { iban: current.iban },
      creditor: { name: "Shop", iban: "RO49AAAA1B31007593840000" as Iban },
      chargeBearer: "SLEV",
      rejectWithoutFunds: false,
    },
    instruction: {},
    createdAt: now,
    status: "RCVD",
    statusAt: now,
  };
  bank.payments.set(payment.id, payment);
  const id = payment.authorisationId;
  const begun = startedAuthorisation(ports, {
    id,
    kind: "PIS",
    resourceId: payment.id,
    tppId: tpp.id,
    requestId: newRequestId(),
    wayBack: { redirectUri: "https://tpp.example/cb" },
    createdAt: now,
  });
  bank.authorisations.set(id, begun);
  const authorisation = async () => (await ports.authorisations.find(id)) ?? begun;
  await identifyPsu(ports, {
    authorisation: await authorisation(),
    userId: "ana",
    password: "ana-sandbox",
    now,
  });
  await beginChallenge(ports, { authorisation: await authorisation(), wording: speltOut, now });
  const confirm = async (code: string) =>
    completeAuthorisation(ports, {
      authorisation: await authorisation(),
      proof: { method: "code", code },
      now,
    });
  return { payment, authorisation, confirm };
}
