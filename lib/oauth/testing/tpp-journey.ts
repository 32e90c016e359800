import { createHash, randomBytes } from "node:crypto";
import type { AccountConsent } from "@/lib/domain/consent/account-consent";
import type { AuthorisationId } from "@/lib/domain/identifiers";
import type { ResourceKind } from "@/lib/domain/sca/authorisation";
import type { Tpp } from "@/lib/domain/tpp/tpp";
import { issuer, okUri, type TestBank, webUrl } from "./bank";
import { type TestBrowser, testBrowser } from "./browser";

export type Parameters = Readonly<Record<string, string | readonly string[] | undefined>>;

export const verifier = randomBytes(32).toString("base64url");
const challenge = createHash("sha256").update(verifier).digest("base64url");

/** A correct authorisation request; `changes` replaces, repeats (array) or removes (undefined). */
export function authorisationRequest(
  tpp: Tpp,
  { kind = "AIS", id }: { readonly kind?: ResourceKind; readonly id: string },
  changes: Parameters = {},
): URL {
  const parameters: Parameters = {
    response_type: "code",
    client_id: tpp.id,
    scope: `${kind}:${id}`,
    state: "a state & more",
    redirect_uri: okUri,
    code_challenge: challenge,
    code_challenge_method: "S256",
    ...changes,
  };
  const url = new URL("/auth", webUrl);
  for (const [name, values] of Object.entries(parameters)) {
    for (const value of [values ?? []].flat()) url.searchParams.append(name, value);
  }
  return url;
}

/** Opens a URL of the browser host; yields where it leads. */
export async function open(bank: TestBank, url: URL | string, browser: TestBrowser): Promise<URL> {
  const { pathname } = new URL(url);
  const cookie = browser.cookiesFor(pathname);
  const answer = await bank.server.serve(
    new Request(url, { headers: cookie === undefined ? {} : { cookie } }),
  );
  browser.keep(answer);
  if (answer.status !== 303) throw new Error(`${answer.status} ${await answer.text()}`);
  return new URL(answer.headers.get("location") ?? "none");
}

/** Where the PSU's yes leads to. */
export async function accepted(
  { server }: TestBank,
  page: URL,
  cookies: string | undefined,
  { authorisationId }: { readonly authorisationId: AuthorisationId },
): Promise<string> {
  const uid = uidOf(page);
  const onward = await server.interactions.accept({ uid }, cookies, { authorisationId });
  if (onward === undefined) throw new Error("there is nothing to accept");
  return onward;
}

export const uidOf = (page: URL): string => page.pathname.slice("/authorise/".length);

/** From the authorisation request to the TPP's redirect URI, with the PSU's yes in between. */
export function authorise(
  bank: TestBank,
  tpp: Tpp,
  consent: AccountConsent,
  browser = testBrowser(),
): Promise<URL> {
  const { id, authorisationId } = consent;
  const finalise = () => bank.finalise(consent);
  return authoriseResource(bank, tpp, { kind: "AIS", id, authorisationId, finalise }, browser);
}

/** Something that waits for its PSU, and the PSU's yes. */
export type Waiting = Pick<AccountConsent, "authorisationId"> & {
  readonly kind: ResourceKind;
  readonly id: string;
  readonly finalise: () => Promise<unknown>;
};

export async function authoriseResource(
  bank: TestBank,
  tpp: Tpp,
  { kind, id, authorisationId, finalise }: Waiting,
  browser = testBrowser(),
): Promise<URL> {
  const page = await open(bank, authorisationRequest(tpp, { id, kind }), browser);
  await finalise();
  const cookies = browser.cookiesFor(page.pathname);
  return open(bank, await accepted(bank, page, cookies, { authorisationId }), browser);
}

/** What the token endpoint answers with 200. */
export type Tokens = {
  readonly access_token: string;
  readonly refresh_token?: string;
  readonly expires_in: number;
  readonly token_type: string;
  readonly scope: string;
};

export function post(
  bank: TestBank,
  form: Parameters,
  { clientCert, path = "/token" }: { readonly clientCert?: string; readonly path?: string } = {},
): Promise<Response> {
  const body = new URLSearchParams();
  for (const [name, values] of Object.entries(form)) {
    for (const value of [values ?? []].flat()) body.append(name, value);
  }
  const headers = clientCert === undefined ? {} : { "client-cert": clientCert };
  return bank.server.serve(new Request(`${issuer}${path}`, { method: "POST", headers, body }));
}

export function codeForm(tpp: Tpp, back: URL, changes: Parameters = {}): Parameters {
  return {
    grant_type: "authorization_code",
    client_id: tpp.id,
    code: back.searchParams.get("code") ?? "none",
    redirect_uri: okUri,
    code_verifier: verifier,
    ...changes,
  };
}

export function refreshForm(
  tpp: Tpp,
  { refresh_token }: Tokens,
  changes: Parameters = {},
): Parameters {
  return { grant_type: "refresh_token", client_id: tpp.id, refresh_token, ...changes };
}

export async function tokensFrom(answer: Response): Promise<Tokens> {
  if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Tokens;
}

export async function errorOf(answer: Response): Promise<string> {
  const { error } = (await answer.json()) as { readonly error: string };
  return `${answer.status} ${error}`;
}
