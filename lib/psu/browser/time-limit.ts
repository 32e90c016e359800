import { type Ends, endsFrom, minutesAndSeconds, type Standing, standingAt } from "./time-left";

/** How long it is shown that there is more time, in milliseconds. */
const THANKS = 8_000;
/** For the bank's answer, in milliseconds. */
const PATIENCE = 10_000;

type Extended = {
  readonly signedInSeconds?: number;
  readonly openSeconds?: number;
  readonly extendable: boolean;
  /** Until when the page is open by now, in the reader's language. */
  readonly told: string;
};

/** Warns before the end, and asks for more time without leaving the page: nothing typed is lost. */
export function watchTimeLimit(): void {
  const region = document.getElementById("time-limit");
  if (region === null) return;
  let ends = endsOf(region.dataset);
  let focused: HTMLElement | undefined;
  let thanksUntil = 0;

  const look = () => {
    const now = Date.now();
    const standing = standingAt(ends, now);
    const thanks = standing.phase === "quiet" && now < thanksUntil;
    show(region, standing, thanks ? "extended" : standing.phase);
  };

  const stay = async (form: HTMLFormElement) => {
    const answer = await ask(form);
    if (answer === "elsewhere") return location.reload();
    if (answer === "failed") return say(region, "failed");
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
async function ask(form: HTMLFormElement): Promise<Extended | "elsewhere" | "failed"> {
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

function show(region: HTMLElement, standing: Standing, phase: Phase): void {
  const left = region.querySelector("[data-left]");
  const seconds = standing.phase === "warned" ? standing.secondsLeft : undefined;
  if (left !== null) left.textContent = seconds === undefined ? "" : minutesAndSeconds(seconds);
  for (const part of region.querySelectorAll<HTMLElement>("[data-for]")) {
    part.hidden = part.dataset["for"] !== partOf(standing, region.dataset["extendable"]);
  }
  const key = keyOf(standing, phase);
  // A screen reader speaks when the text changes, and the digits beside it change each second.
  if (region.dataset["said"] !== key) say(region, key);
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

function say(region: HTMLElement, key: string): void {
  const text = region.querySelector(`[data-say="${key}"]`)?.textContent;
  const said = region.querySelector("[data-live]");
  if (said !== null) said.textContent = text ?? null;
}
