import type { AccessRequest } from "../consent/access-request";
import { completeAuthorisation } from "../sca/complete-authorisation";
import { currentAuthorisation } from "../sca/current-authorisation";
import { identifyPsu } from "../sca/identify-psu";
import { selectAccounts } from "../sca/select-accounts";
import { inMemoryBank } from "./in-memory-bank";
import { ana, current, multiEur, multiRon, now, receivedConsent, tpp } from "./samples";
import { speltOut } from "./spelt-out";

/** A consent that waits for its PSU, at a bank of its own unless one is given. */
export async function opened(access?: AccessRequest, { bank, ports } = inMemoryBank()) {
  bank.accountsOf.set(ana, [current, multiRon, multiEur]);
  const consent = await receivedConsent(ports, access === undefined ? {} : { access });
  const asked = { kind: "AIS", resourceId: consent.id, tppId: tpp.id } as const;
  const authorisation = async (at = now) => {
    const found = await currentAuthorisation(ports, { ...asked, now: at });
    if (found === undefined) throw new Error("no authorisation");
    return found;
  };
  const login = async (userId: string, password: string, at = now) =>
    identifyPsu(ports, { authorisation: await authorisation(at), userId, password, now: at });
  const select = async (...selected: string[]) =>
    selectAccounts(ports, {
      authorisation: await authorisation(),
      selected,
      wording: speltOut,
      now,
    });
  const confirm = async (code: string, at = now) =>
    completeAuthorisation(ports, {
      authorisation: await authorisation(),
      proof: { method: "code", code },
      now: at,
    });
  const status = () => bank.consents.get(consent.id)?.status;
  return { bank, ports, consent, authorisation, login, select, confirm, status };
}

export async function started(at = inMemoryBank()) {
  const flow = await opened(undefined, at);
  await flow.login("ana", "ana-sandbox");
  await flow.select(current.id, multiEur.id);
  return flow;
}
