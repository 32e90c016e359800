import { ledger } from "@/lib/core-bank/ledger/core-bank";
import { beginChallenge } from "@/lib/domain/sca/begin-challenge";
import { completeAuthorisation } from "@/lib/domain/sca/complete-authorisation";
import { identifyPsu } from "@/lib/domain/sca/identify-psu";
import { openPasskeyChallenge } from "@/lib/domain/sca/open-passkey-challenge";
import type { Proof } from "@/lib/domain/sca/proof";
import { type Authenticator, enrolled } from "@/lib/domain/testing/authenticator";
import { inMemoryBank } from "@/lib/domain/testing/in-memory-bank";
import { speltOut } from "@/lib/domain/testing/spelt-out";
import { passkeyStore } from "./passkey-store";
import { now, type Stores } from "./samples";
import type { TestDatabase } from "./testing";
import { initiation, order, payer } from "./testing-payment-samples";

type World = {
  readonly database: TestDatabase;
  readonly stores: Stores;
  readonly device: Authenticator;
};

/** A payment at the real stores, whose PSU has a passkey and has asked for a code as well. */
export async function payingWithPasskey({ database, stores, device }: World) {
  const { bank, ports: ofTheBank } = inMemoryBank();
  const { psuId, iban } = await payer(database.db);
  const ports = {
    ...ofTheBank,
    authorisations: stores.authorisations,
    payments: stores.payments,
    psuAttempts: stores.psuAttempts,
    tppRegister: stores.tpps,
    passkeys: passkeyStore(database.db),
    coreBank: ledger(database.db),
    psuDirectory: {
      verifyPassword: async () => ({ id: psuId, userId: psuId, name: "Ana" }),
      findByUserId: async () => ({ id: psuId, userId: psuId, name: "Ana" }),
      find: async () => ({ id: psuId, userId: psuId, name: "Ana" }),
    },
  };
  await enrolled(ports, psuId, device);
  const begun = initiation({ order: { ...order, debtor: { iban } } });
  await stores.payments.initiate(begun);
  const { payment } = begun.started;
  const authorisation = async () => {
    const found = await stores.authorisations.find(payment.authorisationId);
    if (found === undefined) throw new Error("no authorisation");
    return found;
  };
  const asked = async () => ({ authorisation: await authorisation(), wording: speltOut, now });
  await identifyPsu(ports, { ...(await asked()), userId: psuId, password: "right" });
  const { outcome } = await beginChallenge(ports, await asked());
  if (outcome !== "passkey-asked" || bank.texts.length > 0) throw new Error(outcome);

  const code = async (): Promise<Proof> => {
    await beginChallenge(ports, { ...(await asked()), byCode: true });
    return { method: "code", code: bank.texts.at(-1)?.code ?? "none" };
  };
  const signature = async (): Promise<Proof> => {
    const opened = await openPasskeyChallenge(ports, await asked());
    if (opened.outcome !== "challenged") throw new Error(opened.outcome);
    return { method: "passkey", assertion: device.use(opened.challenge) };
  };
  const complete = async (proof: Proof) =>
    (await completeAuthorisation(ports, { ...(await asked()), proof })).outcome;
  const statuses = () =>
    database.sql`select status from payment_status_change where payment_id = ${payment.id}`;
  return { psuId, payment, authorisation, code, signature, complete, statuses };
}
