/** Comfort for whoever has JavaScript: everything on the pages works without it. */

import {
  browserSupportsWebAuthn,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from "@simplewebauthn/browser";
import { type Ends, endsFrom, minutesAndSeconds, type Standing, standingAt } from "./time-left";

offerPasskeys();

/** How long it is shown that there is more time, in milliseconds. */
const THANKS = 8_000;
/** For the bank's answer, in milliseconds. */
const PATIENCE = 10_000;

watchTimeLimit();

/** The bank's answer: what is to be signed, or made; `sealed` goes back with the form. */
type Asked = {
  readonly options: PublicKeyCredentialRequestOptionsJSON & PublicKeyCredentialCreationOptionsJSON;
  readonly sealed?: string;
};

/** Shows what only a browser that knows passkeys can do, and has its prompt fill in the forms for it. */
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
    event.preventDefault();
    if (asking) return;
    asking = true;
    await fillIn(field, form);
    asking = false;
  });
}

/** Sends the form once it is filled in. Whoever closes the prompt has answered nothing. */
async function fillIn(field: HTMLInputElement, form: HTMLFormElement): Promise<void> {
  const notice = document.getElementById(`${form.id}-cancelled`);
  if (notice !== null) notice.hidden = true;
  try {
    const asked = await askDevice(field);
    // Something else is to be answered by now: the page says what.
    if (asked === undefined) return location.reload();
    const { options: optionsJSON, sealed } = asked;
    const start = field.dataset["passkey"] === "make" ? startRegistration : startAuthentication;
    field.value = JSON.stringify(await start({ optionsJSON }));
    const keeper = form.elements.namedItem("sealed");
    if (keeper instanceof HTMLInputElement && sealed !== undefined) keeper.value = sealed;
    form.submit();
  } catch {
    if (notice !== null) notice.hidden = false;
  }
}

async function askDevice({ dataset }: HTMLInputElement): Promise<Asked | undefined> {
  const { optionsAt, optionsToken } = dataset;
  if (optionsAt === undefined || optionsToken === undefined) return undefined;
  const body = new URLSearchParams({ token: optionsToken });
  const answer = await fetch(optionsAt, { method: "POST", body, redirect: "manual" });
  return answer.ok ? answer.json() : undefined;
}

type Extended = {
  readonly signedInSeconds?: number;
  readonly openSeconds?: number;
  readonly extendable: boolean;
  /** Until when the page is open by now, in the reader's language. */
  readonly told: string;
};

/** Warns before the end, and asks for more time without leaving the page: nothing typed is lost. */
function watchTimeLimit(): void {
  const region = document.getElementById("time-limit");
  if (region === null) return;
  let ends = endsOf(region.dataset);
  let focused: HTMLElement | undefined;
  let thanksUntil = 0;

  const look = () => {
    const now = Date.now();
    const standing = standingAt(ends, now);
    const thanks = standing.phase === "quiet" && now < thanksUntil;
    showTimeLeft(region, standing, thanks ? "extended" : standing.phase);
  };

  const stay = async (form: HTMLFormElement) => {
    const answer = await askForTime(form);
    if (answer === "elsewhere") return location.reload();
    if (answer === "failed") return sayTimeLeft(region, "failed");
    // Signed out in another tab: the page for that says so.
    if ("signed-in" in ends && answer.signedInSeconds === undefined) return location.reload();
    ends = endsFrom(answer, Date.now());
    region.dataset["extendable"] = String(answer.extendable);
    for (const told of document.querySelectorAll("[data-told]")) told.textContent = answer.told;
    thanksUntil = Date.now() + THANKS;
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

/** `elsewhere`: the bank would lead to a page, which has more to say. */
async function askForTime(form: HTMLFormElement): Promise<Extended | "elsewhere" | "failed"> {
  const body = new URLSearchParams({ answer: "json" });
  for (const [name, value] of new FormData(form)) body.append(name, String(value));
  const signal = AbortSignal.timeout(PATIENCE);
  try {
    const answer = await fetch(form.action, { method: "POST", body, redirect: "manual", signal });
    if (answer.type === "opaqueredirect") return "elsewhere";
    return answer.ok ? await answer.json() : "failed";
  } catch {
    return "failed";
  }
}

type Phase = Standing["phase"] | "extended";

function showTimeLeft(region: HTMLElement, standing: Standing, phase: Phase): void {
  const left = region.querySelector("[data-left]");
  const seconds = standing.phase === "warned" ? standing.secondsLeft : undefined;
  if (left !== null) left.textContent = seconds === undefined ? "" : minutesAndSeconds(seconds);
  for (const part of region.querySelectorAll<HTMLElement>("[data-for]")) {
    part.hidden = part.dataset["for"] !== partOf(standing, region.dataset["extendable"]);
  }
  const key = keyOf(standing, phase);
  // A screen reader speaks when the text changes, and the digits beside it change each second.
  if (region.dataset["said"] !== key) sayTimeLeft(region, key);
  region.dataset["said"] = key;
}

/** What can be done about it. An end that cannot be moved any more has no button. */
function partOf(standing: Standing, extendable: string | undefined): string | undefined {
  if (standing.phase === "quiet") return undefined;
  if (standing.phase === "over") return standing.ending;
  return standing.ending === "signed-in" || extendable === "true" ? "warned" : undefined;
}

function keyOf(standing: Standing, phase: Phase): string {
  if (standing.phase === "quiet") return phase;
  return `${standing.ending}-${standing.phase === "over" ? 0 : standing.step}`;
}

function sayTimeLeft(region: HTMLElement, key: string): void {
  const text = region.querySelector(`[data-say="${key}"]`)?.textContent;
  const said = region.querySelector("[data-live]");
  if (said !== null) said.textContent = text ?? null;
}
