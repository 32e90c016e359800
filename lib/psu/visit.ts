import { currentAuthorisation } from "@/lib/domain/authorisation";
import { settleRefusal } from "@/lib/domain/opt-outs";
import type { Network } from "@/lib/domain/sign-in-throttle";
import type { TppId } from "@/lib/domain/values";
import { networkOf } from "@/lib/ip-address";
import { localesOf, requestLanguage } from "./language";
import type { PsuServices } from "./ports";
import { type OwnSession, readOwnSession, readSession, unlockedFor } from "./session";
import { tppOnPage } from "./texts/formats";

type RequestHeaders = Pick<Headers, "get">;

/** One request of a PSU's browser: everything that decides what it may see and do. */
export type Visit = NonNullable<Awaited<ReturnType<typeof openVisit>>>;

const UID = /^[\w-]{1,128}$/;

/** Undefined when this browser has no such interaction: unknown, over, and foreign look the same. */
export async function openVisit(
  services: PsuServices,
  uid: string,
  headers: RequestHeaders,
  isActivity = true,
) {
  const cookieHeader = headers.get("cookie");
  if (cookieHeader === null || !UID.test(uid)) return undefined;
  const interaction = await services.interactions.read(uid, cookieHeader);
  if (interaction === undefined || interaction.uid !== uid) return undefined;

  const { kind, resourceId } = interaction;
  // The authorisation server has proved who its client is: organizationIdentifier is the client_id.
  const tppId = interaction.clientId as TppId;
  const now = await services.clock.now(tppId);
  const current = await currentAuthorisation(services, { kind, resourceId, tppId, now });
  if (current === undefined) return undefined;
  const authorisation = await settleRefusal(services, current, now);

  const tpp = await services.tppRegister.find(tppId);
  if (tpp === undefined) throw new Error("the TPP of an authorisation is not in the register");
  const asked = { cookieHeader, uid, authorisation, isActivity, now };
  const session = await readSession(services, asked);
  // Of the page, and of the text message.
  const { languages } = services.profile;
  const uiLocales = localesOf(interaction.uiLocales, authorisation, languages);
  const language = requestLanguage(services, headers, uiLocales);
  return {
    ...(await browserOf(services, headers, now)),
    cookieHeader,
    interaction: { ...interaction, uiLocales },
    authorisation,
    tpp: tppOnPage(tpp, language),
    session,
    language,
  };
}

/** One request of a PSU's browser to the bank's own channel. */
export type OwnVisit = Awaited<ReturnType<typeof openOwnVisit>>;

/** The same, of somebody whose SCA is done. */
export type SignedInVisit = OwnVisit & {
  readonly session: Extract<OwnSession, { readonly signIn: unknown }>;
};

export async function openOwnVisit(services: PsuServices, headers: RequestHeaders) {
  const now = await services.clock.now();
  return {
    session: await readOwnSession(services, headers.get("cookie"), now),
    language: requestLanguage(services, headers),
    ...(await browserOf(services, headers, now)),
  };
}

export function isSignedIn(visit: OwnVisit): visit is SignedInVisit {
  return visit.session.state === "signed-in";
}

/** The header in which the browser host, and nobody else, says where a request comes from. */
const CLIENT_ADDRESS = "client-address";

async function browserOf(services: PsuServices, headers: RequestHeaders, now: Date) {
  const cookieHeader = headers.get("cookie");
  const address = headers.get(CLIENT_ADDRESS);
  return {
    services,
    cookieHeader,
    // Undefined where the bank does not know it (`WEB_CLIENT_ADDRESS`).
    network: address === null ? undefined : (networkOf(address) as Network | undefined),
    unlockedFor: await unlockedFor(services, cookieHeader, now),
    now,
  };
}
