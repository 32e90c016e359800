import type { PasskeyAssertion, PasskeyRegistration } from "@/lib/domain/passkeys/passkey";
import { type Authenticator, enrolled } from "@/lib/domain/testing/authenticator";
import { ana } from "@/lib/domain/testing/samples";
import { browser } from "./browser";
import { type Desk, desk, paymentDesk } from "./desk";

/** A PSU with a passkey who has signed in for a payment: no code is under way. */
export async function atPaymentWithPasskey(given: Parameters<typeof paymentDesk>[0] = {}) {
  const ours = paymentDesk(given);
  return { ours, ...(await signedIn(ours)) };
}

/** The same with a consent, whose accounts are chosen. */
export async function atSummaryWithPasskey(given: Parameters<typeof desk>[0] = {}) {
  const ours = await desk(given);
  const { psu, ...own } = await signedIn(ours);
  await psu.choose("current");
  return { ours, psu, ...own };
}

async function signedIn(ours: Desk) {
  const { device, passkey } = await enrolled(ours.house, ana);
  const psu = browser(ours);
  await psu.signIn();
  return { psu, device, passkey, confirm: confirming(psu) };
}

export type Confirming = ReturnType<typeof confirming>;

/** What the page's script and the browser's prompt do. */
export function confirming(psu: ReturnType<typeof browser>) {
  const challenge = async (): Promise<string> => {
    const answer = await psu.send("passkey-challenge");
    if (answer.status !== 200) throw new Error(`led to ${answer.headers.get("location")}`);
    const { options } = await answer.json();
    return options.challenge;
  };
  const send = (assertion: PasskeyAssertion) =>
    psu.send("passkey", [["assertion", asBrowsersWrite(assertion)]]);
  const by = async (device: Authenticator, said: Parameters<Authenticator["use"]>[1] = {}) =>
    send(device.use(await challenge(), said));
  return { challenge, send, by };
}

export function asBrowsersWrite(given: PasskeyAssertion | PasskeyRegistration): string {
  const { credentialId, clientDataJson, ...rest } = given;
  const response = { ...rest, clientDataJSON: clientDataJson };
  const credential = { id: credentialId, rawId: credentialId, type: "public-key", response };
  return JSON.stringify({ ...credential, clientExtensionResults: {} });
}
