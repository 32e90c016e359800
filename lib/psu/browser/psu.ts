/** What JavaScript adds: everything on the pages works without it. */

import {
  browserSupportsWebAuthn,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from "@simplewebauthn/browser";
import { type Ends, endsFrom, minutesAndSeconds, type TimeLeft, timeLeftAt } from "./time-left";

offerPasskeys();

/** How long "You have more time" is shown. */
const EXTENDED_MILLISECONDS = 8_000;
const ANSWER_MILLISECONDS_MAX = 10_000;
/** The identity provider is asked no more often than this. */
const POLL_MILLISECONDS = 5_000;

watchTimeLimit();
waitForApproval();

/** The bank's answer: what is to be signed, or made; `sealed` goes back with the form. */
type Asked = {
  readonly options: PublicKeyCredentialRequestOptionsJSON & PublicKeyCredentialCreationOptionsJSON;
  readonly sealed?: string;
};

/** Shows what takes passkeys where the browser has them; its prompt fills in the forms. */
function offerPasskeys(): void {
  if (!browserSupportsWebAuthn()) return;
  for (const field of document.querySelectorAll<HTMLInputElement>("input[data-passkey]")) {
    if (field.form !== null) offerPasskey(field, field.form);
  }
  showPasskeys("[data-with-passkey]", true);
  showPasskeys("[data-without-passkey]", false);
}

function showPasskeys(which: string, shown: boolean): void {
  for (const element of document.querySelectorAll<HTMLElement>(which)) element.hidden = !shown;
}

function offerPasskey(field: HTMLInputElement, form: HTMLFormElement): void {
  let asking = false;

  form.addEventListener("submit", async (event) => {
    // A device keeps what it has made: the bank says that the name is missing before one is made.
    const name = form.elements.namedItem("name");
    if (name instanceof HTMLInputElement && name.value.trim() === "") return;
    event.preventDefault();
    if (asking) return;
    asking = true;
    await fillIn(field, form);
    asking = false;
  });
}

/** Sends the form once it is filled in. A closed prompt sends nothing. */
async function fillIn(field: HTMLInputElement, form: HTMLFormElement): Promise<void> {
  const notice = document.getElementById(`${form.id}-cancelled`);
  if (notice !== null) notice.hidden = true;
  try {
    const asked = await askDevice(field, form);
    // Something else is to be answered by now: the page says what.
    if (asked === undefined) return location.reload();
    const { options: optionsJSON, sealed } = asked;
    const start = field.dataset["passkey"] === "make" ? startRegistration : startAuthentication;
    field.value = JSON.stringify(await start({ optionsJSON }));
    const sealedField = form.elements.namedItem("sealed");
    if (sealedField instanceof HTMLInputElement && sealed !== undefined) sealedField.value = sealed;
    form.submit();
  } catch {
    if (notice !== null) notice.hidden = false;
  }
}

async function askDevice(
  { dataset }: HTMLInputElement,
  form: HTMLFormElement,
): Promise<Asked | undefined> {
  const { optionsAt, optionsToken } = dataset;
  if (optionsAt === undefined || optionsToken === undefined) return undefined;
  const body = new URLSearchParams({ token: optionsToken });
  const shown = form.elements.namedItem("shown");
  if (shown instanceof HTMLInputElement) body.set("shown", shown.value);
  const answer = await fetch(optionsAt, { method: "POST", body, redirect: "manual" });
  return answer.ok ? answer.json() : undefined;
}

type Extended = {
  readonly signedInSeconds?: number;
  readonly openSeconds?: number;
  readonly extendable: boolean;
  /** Until when the page is open by now, in the reader's language. */
  readonly text: string;
};

/** Warns before the end, and asks for more time without leaving the page: nothing typed is lost. */
function watchTimeLimit(): void {
  const region = document.getElementById("time-limit");
  if (region === null) return;
  let ends = endsOf(region.dataset);
  let focused: HTMLElement | undefined;
  let extendedUntil = 0;

  const look = () => {
    const now = Date.now();
    const timeLeft = timeLeftAt(ends, now);
    const extended = timeLeft.phase === "quiet" && now < extendedUntil;
    showTimeLeft(region, timeLeft, extended ? "extended" : timeLeft.phase);
  };

  const stay = async (form: HTMLFormElement) => {
    const answer = await askWith(form);
    if (answer === "redirected") return location.reload();
    if (answer === "failed") return sayTimeLeft(region, "failed");
    // Signed out in another tab: the page for that says so.
    if ("signed-in" in ends && answer.signedInSeconds === undefined) return location.reload();
    ends = endsFrom(answer, Date.now());
    region.dataset["extendable"] = String(answer.extendable);
    for (const limit of document.querySelectorAll("[data-limit-text]"))
      limit.textContent = answer.text;
    extendedUntil = Date.now() + EXTENDED_MILLISECONDS;
    const wasInside = region.contains(document.activeElement);
    look();
    // The button that had the focus is gone.
    if (wasInside) focused?.focus();
  };

  document.addEventListener("focusin", ({ target }) => {
    if (target instanceof HTMLElement && !region.contains(target)) focused = target;
  });
  // Timers of a page in the background run late.
  document.addEventListener("visibilitychange", look);
  for (const form of document.querySelectorAll<HTMLFormElement>("form#stay")) {
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      stay(form);
    });
  }
  setInterval(look, 1_000);
  look();
}

/** As the page was made, which was a moment ago. */
function endsOf({ signedInSeconds, openSeconds }: DOMStringMap): Ends {
  const left = {
    ...(signedInSeconds !== undefined && { signedInSeconds: Number(signedInSeconds) }),
    ...(openSeconds !== undefined && { openSeconds: Number(openSeconds) }),
  };
  return endsFrom(left, Date.now());
}

/** `redirected`: the bank would lead to a page, which has more to say. */
async function askWith(form: HTMLFormElement): Promise<Extended | "redirected" | "failed"> {
  const body = new URLSearchParams({ answer: "json" });
  for (const [name, value] of new FormData(form)) body.append(name, String(value));
  const signal = AbortSignal.timeout(ANSWER_MILLISECONDS_MAX);
  try {
    const answer = await fetch(form.action, { method: "POST", body, redirect: "manual", signal });
    if (answer.type === "opaqueredirect") return "redirected";
    return answer.ok ? await answer.json() : "failed";
  } catch {
    return "failed";
  }
}

/** Asks whether the customer's app has answered, and shows the page that fits when it has. */
function waitForApproval(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>("form[data-waits]")) {
    setInterval(async () => {
      if ((await askWith(form)) === "redirected") location.reload();
    }, POLL_MILLISECONDS);
  }
}

type Phase = TimeLeft["phase"] | "extended";

function showTimeLeft(region: HTMLElement, timeLeft: TimeLeft, phase: Phase): void {
  const left = region.querySelector("[data-left]");
  const seconds = timeLeft.phase === "warned" ? timeLeft.secondsLeft : undefined;
  if (left !== null) left.textContent = seconds === undefined ? "" : minutesAndSeconds(seconds);
  for (const part of region.querySelectorAll<HTMLElement>("[data-for]")) {
    part.hidden = part.dataset["for"] !== partOf(timeLeft, region.dataset["extendable"]);
  }
  const key = keyOf(timeLeft, phase);
  // A screen reader speaks when the text changes, and the digits beside it change each second.
  if (region.dataset["said"] !== key) sayTimeLeft(region, key);
  region.dataset["said"] = key;
}

/** What can be done about it. An end that cannot be moved any more has no button. */
function partOf(timeLeft: TimeLeft, extendable: string | undefined): string | undefined {
  if (timeLeft.phase === "quiet") return undefined;
  if (timeLeft.phase === "over") return timeLeft.ending;
  return timeLeft.ending === "signed-in" || extendable === "true" ? "warned" : undefined;
}

function keyOf(timeLeft: TimeLeft, phase: Phase): string {
  if (timeLeft.phase === "quiet") return phase;
  return `${timeLeft.ending}-${timeLeft.phase === "over" ? 0 : timeLeft.step}`;
}

function sayTimeLeft(region: HTMLElement, key: string): void {
  const text = region.querySelector(`[data-say="${key}"]`)?.textContent;
  const said = region.querySelector("[data-live]");
  if (said !== null) said.textContent = text ?? null;
}
