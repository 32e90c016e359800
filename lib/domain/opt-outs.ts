import {
  type Authorisation,
  type AuthorisationPorts,
  type FailureReason,
  failAuthorisation,
  isDecided,
  type ResourceKind,
} from "./authorisation";
import { CustomerBlocked } from "./core-bank";
import type { PermissionKind } from "./permissions";
import type { StopList, TppRegister } from "./tpp";
import type { Branded, PsuId, TppId } from "./values";

/** Requests of one kind that a customer refuses: of one TPP, or of any where there is none. */
export type OptOut = {
  readonly psuId: PsuId;
  readonly kind: PermissionKind;
  readonly tppId?: TppId | undefined;
};

/** One that stands. */
export type StandingOptOut = OptOut & {
  readonly position: OptOutPosition;
  readonly setAt: Date;
  /** Who acted for the bank; absent where the customer did. */
  readonly setBy?: string;
  /** As the TPP is registered. */
  readonly tppName?: string;
};

/** Where it stands in the list; a following page begins after it. */
export type OptOutPosition = Branded<"OptOutPosition">;

/** Every method is one conditional statement. */
export type OptOutStore = {
  /** False where it stands already. */
  readonly set: (optOut: OptOut, now: Date) => Promise<boolean>;
  /** False where there is none. */
  readonly end: (optOut: OptOut, now: Date) => Promise<boolean>;
  /** Those that stand, oldest first; or the newest first, of which there is one page. */
  readonly list: (
    psuId: PsuId,
    page:
      | { readonly after?: OptOutPosition | undefined; readonly limit: number }
      | { readonly newest: number },
  ) => Promise<readonly StandingOptOut[]>;
  /** What is refused of this TPP alone; of any, where there is none. */
  readonly kinds: (psuId: PsuId, tppId: TppId | undefined) => Promise<readonly PermissionKind[]>;
  /** Whether one for this TPP, or for all, stands. */
  readonly refuses: (psuId: PsuId, kind: PermissionKind, tppId: TppId) => Promise<boolean>;
};

type OptOutPorts = { readonly optOuts: OptOutStore; readonly tppRegister: TppRegister };

/**
 * From now on nothing of this kind is authorised by the customer. What they have authorised before stays: it is ended
 * by itself.
 */
export async function setOptOut(
  { optOuts, tppRegister }: OptOutPorts,
  optOut: OptOut,
  now: Date,
): Promise<"set" | "set-already" | "unknown-tpp"> {
  const { tppId } = optOut;
  if (tppId !== undefined && (await tppRegister.find(tppId)) === undefined) return "unknown-tpp";
  return (await optOuts.set(optOut, now)) ? "set" : "set-already";
}

type RefusalPorts = AuthorisationPorts & {
  readonly stopList: StopList;
  readonly optOuts: OptOutStore;
};

/**
 * Fails an authorisation under way whose TPP the bank serves no more, or whose customer refuses to be asked for it: a
 * yes would move money, or open accounts, without another call of that TPP. What is decided stays as it is.
 */
export async function settleRefusal(
  ports: RefusalPorts,
  authorisation: Authorisation,
  now: Date,
): Promise<Authorisation> {
  if (isDecided(authorisation.scaStatus)) return authorisation;
  const because = await refusalOf(ports, authorisation, now);
  return because === undefined ? authorisation : fail(ports, authorisation, because, now);
}

/** Fails an authorisation in which the core bank has said that the customer is blocked; throws every other error again. */
export async function settleBlocked(
  ports: AuthorisationPorts,
  authorisation: Authorisation,
  error: unknown,
  now: Date,
): Promise<Authorisation> {
  if (!(error instanceof CustomerBlocked)) throw error;
  return fail(ports, authorisation, "customer-blocked", now);
}

async function fail(
  ports: AuthorisationPorts,
  authorisation: Authorisation,
  because: FailureReason,
  now: Date,
): Promise<Authorisation> {
  const { id } = authorisation;
  await failAuthorisation(ports, { id, because, now });
  // Another request may have decided it just before: the store has the last word.
  return (await ports.authorisations.find(id)) ?? { ...authorisation, scaStatus: "failed" };
}

/** Whose opt-outs count is known as soon as somebody has signed in. */
async function refusalOf(
  { stopList, optOuts }: RefusalPorts,
  { kind, tppId, psuId }: Authorisation,
  now: Date,
): Promise<FailureReason | undefined> {
  if ((await stopList.find(tppId, now)) !== undefined) return "tpp-blocked";
  if (psuId === undefined) return undefined;
  return (await optOuts.refuses(psuId, permissionOf[kind], tppId)) ? "opted-out" : undefined;
}

/** What a TPP asks for, in the words of the dashboard. */
export const permissionOf: Readonly<Record<ResourceKind, PermissionKind>> = {
  AIS: "accounts",
  PIIS: "funds",
  PIS: "payments",
};

/** The other way around. */
export const resourceOf = {
  accounts: "AIS",
  funds: "PIIS",
  payments: "PIS",
} as const satisfies Readonly<Record<PermissionKind, ResourceKind>>;
