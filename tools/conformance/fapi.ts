import assert from "node:assert/strict";
import { createHash, X509Certificate } from "node:crypto";
import { connect, type TLSSocket } from "node:tls";
import { AISP, type HttpReply, http, signed, text } from "@/clients/typescript/src";
import { bankClock } from "@/e2e/harness/clock";
import type { PsuByForms } from "@/e2e/harness/psu-by-forms";
import { UNKNOWN_ID } from "@/e2e/harness/requests";
import type { Asked, TestTpp, TokenReply } from "@/e2e/harness/test-tpp";
import { type Check, hold, oneOf, type Setting, type Suite } from "./check";

const PATIENCE_MS = 60_000;
const STATE_CHARACTERS = 384;
/** 5.4: what may be signed with. */
const ALGORITHMS = ["PS256", "ES256", "EdDSA"];

type Metadata = Readonly<Record<string, unknown>>;
type Form = Readonly<Record<string, string>>;

/**
 * The modules of the OpenID conformance suite's plan `fapi2-security-profile-final-test-plan` that apply to an
 * authorisation server without OpenID whose clients authenticate by mutual TLS, as the suite names them. Each has checks
 * of its name here; docs/conformance.md says why the others do not apply.
 */
const MODULES = [
  "discovery-end-point-verification",
  "happy-flow",
  "user-rejects-authentication",
  "ensure-authorization-request-without-state-success",
  "ensure-authorization-request-with-long-state",
  "access-token-type-header-case-sensitivity",
  "plain-fapi-tolerate-unregistered-redirect-uri",
  "ensure-redirect-uri-in-authorization-request",
  "ensure-response-type-code-idtoken-fails",
  "ensure-response-type-token-fails",
  "ensure-client-id-in-token-endpoint",
  "ensure-holder-of-key-required",
  "ensure-authorization-code-is-bound-to-client",
  "attempt-reuse-authorization-code-after-one-second",
  "ensure-token-endpoint-fails-with-expired-auth-code",
  "refresh-token",
  "par-ensure-pkce-required",
  "ensure-pkce-code-verifier-required",
  "incorrect-pkce-code-verifier-rejected",
  "par-plain-pkce-rejected",
] as const;

/**
 * The rules of the FAPI 2.0 Security Profile for an authorisation server and its resource server, each named after its
 * module, or after its section where the suite has no module for it.
 */
export const fapi: Suite = {
  name: "FAPI 2.0 Security Profile",
  checks: async (setting) => {
    const tpp = await setting.newTpp();
    const other = await setting.newTpp();
    const metadata = await json(tpp, "/.well-known/oauth-authorization-server");
    const checks = [
      ...metadataRules(tpp, metadata),
      ...tlsRules(setting),
      ...authorisationRules(setting, tpp),
      ...tokenRules(setting, tpp, other),
    ];
    const untried = MODULES.filter((module) =>
      checks.every(({ name }) => !name.startsWith(`${module}: `)),
    );
    const everyModule = {
      name: "each module has a check",
      run: () => assert.deepEqual(untried, []),
    };
    return [...checks, everyModule];
  },
};

function metadataRules(tpp: TestTpp, metadata: Metadata): readonly Check[] {
  const equal = (name: string, wanted: unknown) => () => assert.deepEqual(metadata[name], wanted);
  return [
    {
      name: "discovery-end-point-verification: the issuer is that of the metadata's address",
      run: equal("issuer", tpp.xs2aUrl),
    },
    {
      name: "discovery-end-point-verification: no response type but code",
      run: equal("response_types_supported", ["code"]),
    },
    {
      name: "discovery-end-point-verification: no password, implicit or client credentials grant",
      run: equal("grant_types_supported", ["authorization_code", "refresh_token"]),
    },
    {
      name: "discovery-end-point-verification: clients authenticate by mutual TLS",
      run: equal("token_endpoint_auth_methods_supported", ["tls_client_auth"]),
    },
    {
      name: "discovery-end-point-verification: access tokens are bound to the certificate",
      run: equal("tls_client_certificate_bound_access_tokens", true),
    },
    {
      name: "discovery-end-point-verification: PKCE with S256 and nothing else",
      run: equal("code_challenge_methods_supported", ["S256"]),
    },
    {
      name: "discovery-end-point-verification: iss in authorisation responses (RFC 9207)",
      run: equal("authorization_response_iss_parameter_supported", true),
    },
    {
      name: "discovery-end-point-verification: keys are public, of PS256, ES256 or EdDSA, and long enough",
      run: async () => {
        const { keys } = (await json(tpp, "/jwks")) as { keys: readonly JsonWebKey[] };
        hold(keys.length > 0, "there is no key");
        for (const key of keys) {
          assert.equal(key.d, undefined);
          oneOf(String(key.alg), ALGORITHMS);
          const bits = key.n === undefined ? 0 : Buffer.from(key.n, "base64url").byteLength * 8;
          hold(key.kty !== "RSA" || bits >= 2048, `${bits} bits`);
        }
      },
    },
  ];
}

function tlsRules({ bank }: Setting): readonly Check[] {
  const offered = (options: object) => handshake(bank.xs2aPort, options);
  return [
    {
      name: "ensure-holder-of-key-required: TLS below 1.2 is refused",
      run: () =>
        assert.rejects(
          offered({ maxVersion: "TLSv1.1", minVersion: "TLSv1", ciphers: "ALL:@SECLEVEL=0" }),
        ),
    },
    {
      name: "ensure-holder-of-key-required: TLS 1.2 has none of the ciphers without forward secrecy and authenticated encryption",
      run: async () => {
        const tls12 = { maxVersion: "TLSv1.2", minVersion: "TLSv1.2" };
        for (const ciphers of [
          "AES128-SHA",
          "AES256-GCM-SHA384",
          "ECDHE-ECDSA-AES128-SHA",
          "ECDHE-RSA-AES128-SHA",
        ]) {
          await assert.rejects(offered({ ...tls12, ciphers: `${ciphers}:@SECLEVEL=0` }), ciphers);
        }
        assert.match(await offered(tls12), /^ECDHE-.*(GCM|CHACHA20)/);
      },
    },
    {
      name: "ensure-holder-of-key-required: TLS 1.3 is offered",
      run: () => offered({ minVersion: "TLSv1.3" }),
    },
  ];
}

function authorisationRules({ newPsu }: Setting, tpp: TestTpp): readonly Check[] {
  const cameBack = async (wanted: Form) => {
    const { searchParams } = await tpp.listener.next(PATIENCE_MS);
    const expected = { ...wanted, iss: tpp.xs2aUrl };
    const found = Object.keys(expected).map((name) => [name, searchParams.get(name)]);
    assert.deepEqual(Object.fromEntries(found), expected);
    assert.equal(searchParams.get("code"), null);
  };
  const answered = (changes: Form, wanted: Form) => async () => {
    const asked = await tpp.ask();
    await newPsu().open(changed(asked, changes));
    await cameBack({ ...wanted, state: asked.request.state });
  };
  const notRedirected = (changes: Form) => async () => {
    const asked = await tpp.ask();
    await newPsu()
      .open(changed(asked, changes))
      .catch(() => undefined);
    await assert.rejects(tpp.listener.next(500));
  };
  const agreedWith = async (state: string) => {
    const asked = await tpp.ask();
    const psu = newPsu();
    await psu.open(changed(asked, { state }));
    await psu.agree("mihai", tpp.name);
    const { searchParams } = await tpp.listener.next(PATIENCE_MS);
    hold(searchParams.has("code"), `there is no code in ${searchParams}`);
    assert.deepEqual([searchParams.get("state"), searchParams.get("iss")], [state, tpp.xs2aUrl]);
  };
  return [
    {
      name: "ensure-response-type-token-fails: response_type=token is refused, with iss",
      run: answered({ response_type: "token" }, { error: "unsupported_response_type" }),
    },
    {
      name: "ensure-response-type-code-idtoken-fails: response_type=code id_token is refused, with iss",
      run: answered({ response_type: "code id_token" }, { error: "unsupported_response_type" }),
    },
    {
      name: "par-ensure-pkce-required: a request without a code_challenge is refused",
      run: answered(
        { code_challenge: "", code_challenge_method: "" },
        { error: "invalid_request" },
      ),
    },
    {
      name: "par-plain-pkce-rejected: code_challenge_method=plain is refused",
      run: answered({ code_challenge_method: "plain" }, { error: "invalid_request" }),
    },
    {
      name: "plain-fapi-tolerate-unregistered-redirect-uri: one that is not the consent's is not redirected to",
      run: notRedirected({ redirect_uri: `${tpp.listener.origin}/callback/elsewhere` }),
    },
    {
      name: "ensure-redirect-uri-in-authorization-request: without one nothing is redirected to",
      run: notRedirected({ redirect_uri: "" }),
    },
    {
      name: "user-rejects-authentication: a PSU who cancels comes back with access_denied, state and iss",
      run: async () => {
        const { request } = await tpp.ask(undefined, false);
        const psu = newPsu();
        await psu.open(request.url);
        await psu.cancel();
        await cameBack({ error: "access_denied", state: request.state });
      },
    },
    {
      // The standard's table of the authorisation request makes state mandatory; the suite lets it be left out.
      name: "ensure-authorization-request-without-state-success: refused, as the specification demands",
      run: async () => {
        const { request } = await tpp.ask();
        await newPsu().open(changed({ request }, { state: "" }));
        await cameBack({ error: "invalid_request" });
      },
    },
    {
      name: "ensure-authorization-request-with-long-state: the state comes back whole",
      run: () => agreedWith("s".repeat(STATE_CHARACTERS)),
    },
    {
      name: "5.3.2.2: the authorisation endpoint gives no other origin leave to read it (CORS)",
      run: async () => {
        const { request } = await tpp.ask();
        const answer = await fetch(request.url, {
          redirect: "manual",
          headers: { origin: "https://elsewhere.example" },
        });
        assert.equal(answer.headers.get("access-control-allow-origin"), null);
      },
    },
  ];
}

function tokenRules(setting: Setting, tpp: TestTpp, other: TestTpp): readonly Check[] {
  const { bank, newPsu, newTpp } = setting;
  const code = () => codeOf(tpp, newPsu());
  const refused = async (form: Form, error: string) => {
    const reply = await tpp.postToken(form);
    assert.deepEqual([reply.status, reply.body["error"]], [400, error]);
  };
  const accounts = (token: Granted, by: TestTpp, headers = {}) =>
    get(by, `${AISP}/accounts`, {
      "consent-id": token.consentId,
      authorization: `Bearer ${token.accessToken}`,
      ...headers,
    });
  const refusedToOther = async (clientId: string) => {
    const reply = await other.postToken({ ...(await code()).form, client_id: clientId });
    // A client that no PSU was ever asked for is one that is not known.
    oneOf(reply.body["error"], ["invalid_grant", "invalid_client"]);
  };
  let shared: Promise<Granted> | undefined;
  const one = () => {
    shared ??= code().then((redeemable) => redeemed(tpp, redeemable));
    return shared;
  };
  return [
    {
      name: "ensure-token-endpoint-fails-with-expired-auth-code: a code is good for 60 seconds at most",
      run: async () => {
        const { form } = await code();
        const clock = bankClock(bank);
        await clock.advance("PT61S");
        try {
          await refused(form, "invalid_grant");
        } finally {
          await clock.reset();
        }
      },
    },
    {
      name: "attempt-reuse-authorization-code-after-one-second: a code is good once, and its second use ends the tokens of the first",
      run: async () => {
        const redeemable = await code();
        const token = await redeemed(tpp, redeemable);
        assert.equal((await accounts(token, tpp)).status, 200);
        await refused(redeemable.form, "invalid_grant");
        assert.equal((await accounts(token, tpp)).status, 401);
      },
    },
    {
      name: "incorrect-pkce-code-verifier-rejected: a code is refused with another verifier",
      run: async () => {
        const { form } = await code();
        await refused({ ...form, code_verifier: "x".repeat(64) }, "invalid_grant");
      },
    },
    {
      name: "ensure-pkce-code-verifier-required: a code is refused without its verifier",
      run: async () => {
        const { code_verifier: _, ...without } = (await code()).form;
        await refused(without, "invalid_grant");
      },
    },
    {
      name: "5.3.2.2: a code is refused with another redirect_uri",
      run: async () => {
        const { form } = await code();
        await refused({ ...form, redirect_uri: `${form["redirect_uri"]}/other` }, "invalid_grant");
      },
    },
    {
      name: "ensure-authorization-code-is-bound-to-client: a code of one client is refused to another",
      run: () => refusedToOther(other.id),
    },
    {
      name: "ensure-client-id-in-token-endpoint: and so it is under the name of the first",
      run: () => refusedToOther(tpp.id),
    },
    {
      name: "ensure-holder-of-key-required: a client without a certificate is refused",
      run: async () => {
        const bare = http({ ca: tpp.certificates.ca });
        const reply = await postForm(bare, tpp, (await code()).form);
        await bare.close();
        assert.equal(reply.status, 401);
      },
    },
    ...["password", "client_credentials", "urn:ietf:params:oauth:grant-type:device_code"].map(
      (grant): Check => ({
        name: `5.3.2.1: grant_type=${grant} is refused`,
        run: () => refused({ grant_type: grant }, "unsupported_grant_type"),
      }),
    ),
    // One token for these, and no code between them: the same PSU's next consent would end it.
    {
      name: "happy-flow: consent, code, token, and accounts with it",
      run: async () => assert.equal((await accounts(await one(), tpp)).status, 200),
    },
    {
      name: "access-token-type-header-case-sensitivity: bearer is Bearer",
      run: async () => {
        const token = await one();
        const headers = { authorization: `bearer ${token.accessToken}` };
        assert.equal((await accounts(token, tpp, headers)).status, 200);
      },
    },
    {
      name: "refresh-token: a rotated refresh token may be used again when the answer was lost",
      run: async () => {
        const { refreshToken } = await one();
        for (let times = 0; times < 2; times += 1) {
          const form = { grant_type: "refresh_token", refresh_token: refreshToken };
          const { status, body } = await tpp.postToken(form);
          assert.equal(status, 200, JSON.stringify(body));
        }
      },
    },
    {
      name: "refresh-token: a refresh token of one client is refused to another",
      run: async () => {
        const { refreshToken } = await one();
        const form = { grant_type: "refresh_token", refresh_token: refreshToken };
        const { body } = await other.postToken({ ...form, client_id: other.id });
        oneOf(body["error"], ["invalid_grant", "invalid_client"]);
      },
    },
    {
      name: "5.3.2.1: the access token names the certificate it is bound to (RFC 8705), signed as 5.4 says",
      run: async () => {
        const { accessToken } = await one();
        const [header, payload] = accessToken.split(".").map(decoded);
        const der = new X509Certificate(tpp.certificates.qwac.pem).raw;
        const thumbprint = createHash("sha256").update(der).digest("base64url");
        assert.deepEqual(payload?.["cnf"], { "x5t#S256": thumbprint });
        oneOf(String(header?.["alg"]), ALGORITHMS);
      },
    },
    {
      name: "5.3.4: a token is refused with another TPP's certificate",
      run: async () => assert.equal((await accounts(await one(), other)).status, 401),
    },
    {
      name: "5.3.4: a token is refused with another certificate of the same TPP",
      run: async () => {
        const renewed = await newTpp({ id: tpp.id, name: tpp.name });
        assert.equal((await accounts(await one(), renewed)).status, 401);
      },
    },
    {
      name: "5.3.4: a token is refused when it is changed, or stands in the address",
      run: async () => {
        const token = await one();
        const last = token.accessToken.endsWith("A") ? "B" : "A";
        const changedToken = `${token.accessToken.slice(0, -6)}${last}${token.accessToken.slice(-5)}`;
        assert.equal((await accounts({ ...token, accessToken: changedToken }, tpp)).status, 401);
        const { accessToken, consentId } = token;
        const address = `${AISP}/accounts?access_token=${accessToken}`;
        const reply = await get(tpp, address, { "consent-id": consentId });
        oneOf(reply.status, [400, 401]);
      },
    },
    {
      name: "5.3.4: a token is refused for another consent than its own",
      run: async () => {
        const reply = await accounts({ ...(await one()), consentId: UNKNOWN_ID }, tpp);
        oneOf(reply.status, [400, 401, 403]);
      },
    },
    {
      name: "happy-flow: the same token is good after all that was refused",
      run: async () => assert.equal((await accounts(await one(), tpp)).status, 200),
    },
    {
      name: "6749 5.1: the token's answer is not to be kept by a cache",
      run: async () => {
        const reply = await postForm(tpp.http, tpp, (await code()).form);
        assert.equal(reply.status, 200);
        assert.match(String(reply.headers["cache-control"]), /no-store/);
      },
    },
    {
      name: "5.3.4: a token ends with its grant",
      run: async () => {
        const token = await redeemed(tpp, await code());
        assert.equal((await accounts(token, tpp)).status, 200);
        await token.revoke();
        assert.equal((await accounts(token, tpp)).status, 401);
      },
    },
  ];
}

type Redeemable = { readonly asked: Asked; readonly form: Form };
type Granted = {
  readonly consentId: string;
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly revoke: () => Promise<void>;
};

async function codeOf(tpp: TestTpp, psu: PsuByForms): Promise<Redeemable> {
  const asked = await tpp.ask();
  await psu.open(asked.request.url);
  await psu.agree("mihai", tpp.name);
  const { searchParams } = await tpp.listener.next(PATIENCE_MS);
  assert.equal(searchParams.get("iss"), tpp.xs2aUrl);
  return {
    asked,
    form: {
      grant_type: "authorization_code",
      code: String(searchParams.get("code")),
      redirect_uri: tpp.redirectUri,
      code_verifier: asked.request.codeVerifier,
    },
  };
}

async function redeemed(tpp: TestTpp, { asked, form }: Redeemable): Promise<Granted> {
  const { status, body }: TokenReply = await tpp.postToken(form);
  assert.equal(status, 200, JSON.stringify(body));
  const refreshToken = String(body["refresh_token"]);
  return {
    consentId: asked.consentId,
    accessToken: String(body["access_token"]),
    refreshToken,
    revoke: () => asked.server.revoke(refreshToken),
  };
}

function changed(asked: Pick<Asked, "request">, changes: Form): URL {
  const url = new URL(asked.request.url);
  for (const [name, value] of Object.entries(changes)) {
    if (value === "") url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  }
  return url;
}

function postForm(over: TestTpp["http"], tpp: TestTpp, form: Form): Promise<HttpReply> {
  return over.send({
    method: "POST",
    url: `${tpp.xs2aUrl}/token`,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: Buffer.from(new URLSearchParams({ client_id: tpp.id, ...form }).toString()),
  });
}

function get(tpp: TestTpp, target: string, headers: Form): Promise<HttpReply> {
  const own = { accept: "application/json", "psu-ip-address": "198.51.100.7", ...headers };
  const url = tpp.xs2aUrl + target;
  return tpp.http.send({ method: "GET", url, headers: signed(tpp.seal, new Uint8Array(), own) });
}

async function json({ xs2aUrl, http: over }: TestTpp, path: string): Promise<Metadata> {
  const { status, body } = await over.send({ method: "GET", url: xs2aUrl + path, headers: {} });
  assert.equal(status, 200);
  return JSON.parse(text(body)) as Metadata;
}

function decoded(part: string): Metadata {
  const bytes = Buffer.from(part, "base64url");
  return bytes[0] === 0x7b ? (JSON.parse(bytes.toString("utf8")) as Metadata) : {};
}

/** The name of the cipher that was agreed upon. */
function handshake(port: number, options: object): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket: TLSSocket = connect(
      { port, host: "localhost", rejectUnauthorized: false, ...options },
      () => {
        resolve(socket.getCipher().name);
        socket.destroy();
      },
    );
    socket.once("error", reject);
  });
}
