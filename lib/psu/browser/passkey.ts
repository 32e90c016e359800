import {
  browserSupportsWebAuthn,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from "@simplewebauthn/browser";

/** The bank's answer: what is to be signed, or made; `sealed` goes back with the form. */
type Asked = {
  readonly options: PublicKeyCredentialRequestOptionsJSON & PublicKeyCredentialCreationOptionsJSON;
  readonly sealed?: string;
};

/** Shows what only a browser that knows passkeys can do, and has its prompt fill in the forms for it. */
export function offerPasskeys(): void {
  if (!browserSupportsWebAuthn()) return;
  for (const field of document.querySelectorAll<HTMLInputElement>("input[data-passkey]")) {
    if (field.form !== null) offer(field, field.form);
  }
  show("[data-with-passkey]", true);
  show("[data-without-passkey]", false);
}

function show(which: string, shown: boolean): void {
  for (const element of document.querySelectorAll<HTMLElement>(which)) element.hidden = !shown;
}

function offer(field: HTMLInputElement, form: HTMLFormElement): void {
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
    const asked = await ask(field);
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

async function ask({ dataset }: HTMLInputElement): Promise<Asked | undefined> {
  const { optionsAt, optionsToken } = dataset;
  if (optionsAt === undefined || optionsToken === undefined) return undefined;
  const body = new URLSearchParams({ token: optionsToken });
  const answer = await fetch(optionsAt, { method: "POST", body, redirect: "manual" });
  return answer.ok ? answer.json() : undefined;
}
