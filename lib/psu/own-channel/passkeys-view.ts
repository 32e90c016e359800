import { mayAddPasskey } from "@/lib/domain/passkeys/may-add-passkey";
import type { Passkey } from "@/lib/domain/passkeys/passkey";
import { ownFormToken } from "./form-token";
import { type OwnFrame, ownFrameOf } from "./frame";
import { type OwnOutcome, readOwnOutcome, type SayingPage } from "./outcome";
import { PASSKEYS } from "./paths";
import type { SignedInVisit } from "./visit";

export type PasskeysView = OwnFrame & {
  readonly page: "passkeys";
  readonly passkeys: readonly Passkey[];
  readonly passkeysMax: number;
  /** The sign-in is not too long ago. */
  readonly mayAdd: boolean;
  readonly addPasskeyMinutes: number;
  readonly outcome: OwnOutcome | undefined;
  readonly addToken: string;
  readonly optionsToken: string;
};

export type RemovePasskeyView = OwnFrame & {
  readonly page: "remove-passkey";
  readonly passkey: Passkey;
  readonly outcome: OwnOutcome | undefined;
  readonly token: string;
};

export async function passkeysView(visit: SignedInVisit): Promise<PasskeysView> {
  const { house, session, now } = visit;
  const { profile } = house;
  const form = { secret: house.config.SESSION_SECRET, session };
  return {
    ...(await ownFrameOf(visit)),
    page: "passkeys",
    passkeys: await house.passkeys.ofPsu(session.signIn.psuId),
    passkeysMax: profile.sca.passkeysMax,
    mayAdd: mayAddPasskey(profile, session.signIn, now),
    addPasskeyMinutes: profile.ownChannel.addPasskeyMinutes,
    outcome: await outcomeFor(visit, PASSKEYS, "passkeys"),
    addToken: await ownFormToken({ ...form, action: "add-passkey" }),
    optionsToken: await ownFormToken({ ...form, action: "passkey-options" }),
  };
}

/** Undefined for an unknown one, a removed one, and another PSU's. */
export async function removePasskeyView(
  visit: SignedInVisit,
  id: string,
): Promise<RemovePasskeyView | undefined> {
  const { house, session } = visit;
  const own = await house.passkeys.ofPsu(session.signIn.psuId);
  const passkey = own.find((one) => one.id === id);
  if (passkey === undefined) return undefined;
  const form = { secret: house.config.SESSION_SECRET, session, target: id };
  return {
    ...(await ownFrameOf(visit)),
    page: "remove-passkey",
    passkey,
    outcome: await outcomeFor(visit, removePath(passkey), "remove-passkey"),
    token: await ownFormToken({ ...form, action: "remove-passkey" }),
  };
}

export function removePath({ id }: Pick<Passkey, "id">): string {
  return `${PASSKEYS}/${id}/remove`;
}

function outcomeFor(visit: SignedInVisit, path: string, page: SayingPage) {
  return readOwnOutcome({ path, config: visit.house.config }, visit.cookieHeader, page);
}
