import { parseArgs } from "node:util";
import { findPsuByUserId } from "@/lib/core-bank/ledger/psu-directory";
import { currentConsent, revokeAccountConsent } from "@/lib/domain/consents";
import { currentFundsConsent, revokeFundsConsent } from "@/lib/domain/funds";
import type { ConsentId, PsuId, TppId } from "@/lib/domain/values";
import { authorisationStore } from "@/lib/postgres/authorisations";
import type { Database } from "@/lib/postgres/client";
import { consentStore } from "@/lib/postgres/consents";
import { fundsConsentStore } from "@/lib/postgres/funds";
import { sandboxClock } from "@/lib/postgres/sandbox";
import { tppRegister } from "@/lib/postgres/tpps";
import { bankProfile } from "@/lib/profile/in-force";
import { systemClock } from "@/lib/system-clock";
import { CommandFailed } from "../command-failed";
import { asOperator, checkedReason } from "../operator";
import { WrongUsage } from "../wrong-usage";

export const help = `npm run bank -- revoke CONSENT-ID [--psu USER] [--reason TEXT]

Ends a consent for account information or for confirmation of funds, as its PSU asks for it at a branch
or on the phone. From then on its tokens are not accepted. Make sure first that it is the PSU who asks.

  --psu USER     who asks; a consent that somebody else has authorised stays as it is. With PSU_LOGIN=oidc the customer's id
  --reason TEXT  why, on record with the event`;

export async function run(args: readonly string[]): Promise<string> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { psu: { type: "string" }, reason: { type: "string" } },
    allowPositionals: true,
  });
  const [given, second] = positionals;
  if (given === undefined || second !== undefined) {
    throw new WrongUsage("revoke needs one CONSENT-ID");
  }
  const reason = checkedReason(values.reason);
  return asOperator({ command: "revoke", reason }, async (db, settings) => {
    const now = await (settings.SANDBOX ? sandboxClock(db) : systemClock).now();
    const userId = values.psu;
    const isCustomerId = settings.PSU_LOGIN === "oidc";
    const askedBy =
      userId !== undefined && !isCustomerId
        ? ((await findPsuByUserId(db)(userId))?.id ?? "none")
        : userId;
    return revoke(db, { id: given.toLowerCase() as ConsentId, userId, askedBy, now });
  });
}

type Asked = {
  readonly id: ConsentId;
  readonly userId: string | undefined;
  /** The customer's id of who asks; undefined where nobody was named. */
  readonly askedBy: string | undefined;
  readonly now: Date;
};

/** A consent of either kind, as far as it matters here. */
type Found = {
  readonly status: string;
  readonly tppId: TppId;
  readonly psuId?: PsuId | undefined;
  readonly revoke: (psuId: PsuId) => Promise<boolean>;
};

async function revoke(db: Database, asked: Asked): Promise<string> {
  const { id, userId, askedBy } = asked;
  const found = (await accountConsent(db, asked)) ?? (await fundsConsent(db, asked));
  if (found === undefined) throw new CommandFailed(`there is no consent ${id}`);
  const { psuId } = found;
  if (askedBy !== undefined && askedBy !== psuId) {
    throw new CommandFailed(`${userId} has not authorised the consent ${id}: nothing has changed`);
  }
  if (found.status !== "valid" || psuId === undefined || !(await found.revoke(psuId))) {
    throw new CommandFailed(`the consent ${id} is ${found.status}: only a valid one is revoked`);
  }
  const tpp = await tppRegister(db).find(found.tppId);
  const name = tpp === undefined ? found.tppId : `${tpp.name} (${tpp.id})`;
  return `consent ${id} of ${name} is revoked; its tokens are no longer accepted`;
}

async function accountConsent(db: Database, { id, now }: Asked): Promise<Found | undefined> {
  const ports = { ...portsOf(db), consents: consentStore(db) };
  const consent = await ports.consents.find(id);
  if (consent === undefined) return undefined;
  const current = await currentConsent(ports, consent, now);
  return { ...current, revoke: (psuId) => revokeAccountConsent(ports, { id, psuId, now }) };
}

async function fundsConsent(db: Database, { id, now }: Asked): Promise<Found | undefined> {
  const ports = { ...portsOf(db), fundsConsents: fundsConsentStore(db) };
  const consent = await ports.fundsConsents.find(id);
  if (consent === undefined) return undefined;
  const current = await currentFundsConsent(ports, consent, now);
  return { ...current, revoke: (psuId) => revokeFundsConsent(ports, { id, psuId, now }) };
}

function portsOf(db: Database) {
  return { authorisations: authorisationStore(db), profile: bankProfile() };
}
