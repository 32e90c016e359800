import { type Authorisation, currentAuthorisation } from "@/lib/domain/authorisation";
import { settleBlock } from "@/lib/domain/sca";
import type { Network } from "@/lib/domain/sign-in-throttle";
import type { Tpp } from "@/lib/domain/tpp";
import type { TppId } from "@/lib/domain/values";
import { networkOf } from "@/lib/ip-address";
import { requestLanguage } from "./language";
import type { Interaction, PsuServices } from "./services";
import { type OwnSession, readOwnSession, readSession, type Session, unlockedFor } from "./session";
import { type Language, tppOnPage } from "./texts/formats";

/** One request of a PSU's browser: everything that decides what it may see and do. */
export type Visit = {
  readonly house: PsuServices;
  readonly cookieHeader: string;
  readonly interaction: Interaction;
  readonly authorisation: Authorisation;
  /** Its names are as a page may show them. */
  readonly tpp: Tpp;
  readonly session: Session;
  /** In which the PSU is spoken to, on the page and on the phone. */
  readonly language: Language;
  readonly network: Network | undefined;
  /** The user ID whose passkey has signed in this browser a while ago. */
  readonly unlockedFor: string | undefined;
  readonly now: Date;
};

const UID = /^[\w-]{1,128}$/;

/** Undefined when this browser has no such interaction: unknown, over, and foreign look the same. */
export async function openVisit(
  house: PsuServices,
  uid: string,
  headers: Pick<Headers, "get">,
): Promise<Visit | undefined> {
  const cookieHeader = headers.get("cookie");
  if (cookieHeader === null || !UID.test(uid)) return undefined;
  const interaction = await house.interactions.read(uid, cookieHeader);
  if (interaction === undefined || interaction.uid !== uid) return undefined;

  const now = await house.clock.now();
  const { kind, resourceId } = interaction;
  // The authorisation server has proved who its client is: organizationIdentifier is the client_id.
  const tppId = interaction.clientId as TppId;
  const current = await currentAuthorisation(house, { kind, resourceId, tppId, now });
  if (current === undefined) return undefined;
  const authorisation = await settleBlock(house, current, now);

  const tpp = await house.tppRegister.find(tppId);
  if (tpp === undefined) throw new Error("the TPP of an authorisation is not in the register");
  const session = await readSession(house, { cookieHeader, uid, authorisation, now });
  const language = requestLanguage(house, headers, interaction.uiLocales);
  return {
    house,
    cookieHeader,
    interaction,
    authorisation,
    tpp: tppOnPage(tpp, language),
    session,
    language,
    network: callingNetwork(headers),
    unlockedFor: await unlockedFor(house, cookieHeader, now),
    now,
  };
}

/** One request of a PSU's browser to the bank's own channel. */
export type OwnVisit = {
  readonly house: PsuServices;
  readonly cookieHeader: string | null;
  readonly session: OwnSession;
  readonly language: Language;
  readonly network: Network | undefined;
  /** The user ID whose passkey has signed in this browser a while ago. */
  readonly unlockedFor: string | undefined;
  readonly now: Date;
};

/** The same, of somebody whose SCA is done. */
export type SignedInVisit = OwnVisit & {
  readonly session: Extract<OwnSession, { readonly signIn: unknown }>;
};

export async function openOwnVisit(
  house: PsuServices,
  headers: Pick<Headers, "get">,
): Promise<OwnVisit> {
  const cookieHeader = headers.get("cookie");
  const now = await house.clock.now();
  const session = await readOwnSession(house, cookieHeader, now);
  return {
    house,
    cookieHeader,
    session,
    language: requestLanguage(house, headers),
    network: callingNetwork(headers),
    unlockedFor: await unlockedFor(house, cookieHeader, now),
    now,
  };
}

export function isSignedIn(visit: OwnVisit): visit is SignedInVisit {
  return visit.session.state === "signed-in";
}

/** The header in which the browser host, and nobody else, says where a request comes from. */
const CLIENT_ADDRESS = "client-address";

/** Undefined where the bank does not know it (`WEB_CLIENT_ADDRESS`). */
function callingNetwork(headers: Pick<Headers, "get">): Network | undefined {
  const address = headers.get(CLIENT_ADDRESS);
  return address === null ? undefined : (networkOf(address) as Network | undefined);
}
