import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { routes } from "@/app/(xs2a)/routes";
import { aspspProfile } from "@/lib/testing-profile";
import { ledger } from "./core-bank/ledger/core-bank";
import { addAccount, addCustomer } from "./core-bank/ledger/testing";
import type { Iban } from "./domain/values";
import { parseTrustAnchors } from "./eidas/trust";
import { authorisationServer } from "./oauth/authorisation-server";
import {
  authoriseResource,
  codeForm,
  errorOf,
  post,
  refreshForm,
  type TestBank,
  type Tokens,
  testBank,
  tokensFrom,
  type Waiting,
  waitingFunds,
  waitingPayment,
} from "./oauth/testing";
import { accessBudget } from "./postgres/account-access";
import { fundsCheck } from "./postgres/funds";
import { requestContexts } from "./postgres/request-context";
import { sweep } from "./server/jobs";
import { replaceServices, type Services } from "./services";
import { portsOf, signedRequest } from "./xs2a/testing/tpp";

const base = "/open-banking/v3.1";
const iban = "RO76DRWB0001000000000102" as Iban;

type Handler = (
  request: Request,
  context: { readonly params: Promise<object> },
) => Promise<Response>;

/** Two servers on one database: each has read what the other ends, and keeps what it has read. */
let bank: TestBank;
let servers: readonly [Server, Server];
let example: Awaited<ReturnType<TestBank["tpp"]>>;
let other: Awaited<ReturnType<TestBank["tpp"]>>;
beforeAll(async () => {
  bank = await testBank();
  const roles = ["PSP_AI", "PSP_IC", "PSP_PI"] as const;
  example = await bank.tpp("PSDRO-NBR-1234567", roles);
  other = await bank.tpp("PSDDE-BAFIN-99", roles);
  servers = [await server(), await server()];
});
afterAll(async () => {
  replaceServices(undefined);
  await bank.close();
});

type Server = Awaited<ReturnType<typeof server>>;
async function server() {
  const oauth = authorisationServer(bank.ports);
  const { clock } = bank.ports;
  const services = {
    ...(await portsOf()),
    ...bank.ports,
    trustAnchors: parseTrustAnchors(example.certificates.caPem),
    requestContexts: requestContexts(bank.db, clock),
    coreBank: ledger(bank.db, aspspProfile),
    accessBudget: accessBudget(bank.db),
    fundsCheck: fundsCheck(bank.db),
    accessTokens: oauth.accessTokens,
  };
  return { services, bank: { ...bank, server: oauth } };
}

type Call = {
  readonly route: string;
  readonly path?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
};

/** What a server answers to the call with this token: the status, and the code of a refusal. */
async function answerOf(at: Server, { route, path = {}, headers, body }: Call, tokens: Tokens) {
  replaceServices(at.services as unknown as Services);
  const url = Object.entries(path).reduce(
    (text, [name, value]) => text.replace(`{${name}}`, value),
    `https://bank.example${base}${route}`,
  );
  const method = body === undefined ? "GET" : "POST";
  const request = signedRequest(example.certificates, {
    method,
    url,
    ...(body !== undefined && { body: JSON.stringify(body) }),
    headers: {
      date: (await bank.ports.clock.now()).toUTCString(),
      authorization: `Bearer ${tokens.access_token}`,
      ...headers,
    },
  });
  const handlers = routes[`${base}${route}`] as Partial<Record<string, Handler>> | undefined;
  const answer = await handlers?.[method]?.(request, { params: Promise.resolve(path) });
  const said = (await answer?.json()) as { readonly tppMessages?: readonly { code: string }[] };
  return [answer?.status, said.tppMessages?.[0]?.code].filter(Boolean).join(" ");
}

/** On both servers, so that both have read the token before it dies. */
const answers = async (call: Call, tokens: Tokens) => [
  await answerOf(servers[0], call, tokens),
  await answerOf(servers[1], call, tokens),
];
const alive = ["200", "200"];
const dead = ["401 TOKEN_INVALID", "401 TOKEN_INVALID"];

type Granted = {
  readonly waiting: Waiting;
  readonly back: URL;
  readonly tokens: Tokens;
  readonly call: Call;
};

async function granted(waiting: Waiting, call: Call): Promise<Granted> {
  const back = await authoriseResource(bank, example.tpp, waiting);
  const tokens = await tokensFrom(await post(bank, codeForm(example.tpp, back), example));
  return { waiting, back, tokens, call };
}

async function accounts(): Promise<Granted> {
  const consent = await bank.consent(example.tpp);
  const { id, authorisationId } = consent;
  const finalise = () => bank.finalise(consent);
  const call = { route: "/aisp/v1/accounts", headers: { "consent-id": id, ...attended } };
  return granted({ kind: "AIS", id, authorisationId, finalise }, call);
}
const attended = { "psu-ip-address": "198.51.100.7" };

async function funds(): Promise<Granted> {
  const psuId = await addCustomer(bank.db, "Ana Popescu");
  await addAccount(bank.db, { [psuId]: "owner" });
  const waiting = await waitingFunds(bank, example.tpp, { account: { iban } });
  return granted(waiting, {
    route: "/cbpii/v1/funds-confirmations",
    headers: { "consent-id": waiting.id },
    body: { account: { iban }, instructedAmount: { currency: "RON", amount: "1" } },
  });
}

async function payment(): Promise<Granted> {
  const waiting = await waitingPayment(bank, example.tpp);
  return granted(waiting, {
    route: "/pisp/v1/{paymentService}/{paymentProduct}/{paymentId}/status",
    path: {
      paymentService: "payments",
      paymentProduct: "sepa-credit-transfers",
      paymentId: waiting.id,
    },
  });
}

const refresh = (tokens: Tokens) => post(bank, refreshForm(example.tpp, tokens), example);
const revoke = async (token: string | undefined, by = example) => {
  const form = { client_id: by.tpp.id, token };
  const answer = await post(bank, form, { ...by, path: "/token/revocation" });
  return `${answer.status} ${await answer.text()}`;
};

describe.each([
  ["account information", accounts],
  ["a funds check", funds],
  ["a payment", payment],
])("O6: the access token of %s, on two servers", (_what, grant) => {
  it("O6: is revoked at the next call once its code was used again", async () => {
    const { tokens, call, back } = await grant();
    expect(await answers(call, tokens)).toEqual(alive);
    const again = await post(bank, codeForm(example.tpp, back), example);
    expect(await errorOf(again)).toBe("400 invalid_grant");
    expect(await answers(call, tokens)).toEqual(dead);
  });

  it("O6: is revoked at the next call once its client has revoked it, and every later one stays active", async () => {
    const { tokens, call } = await grant();
    const renewed = tokens.refresh_token && (await tokensFrom(await refresh(tokens)));
    expect(await answers(call, tokens)).toEqual(alive);
    expect(await revoke(tokens.access_token)).toBe("200 ");
    expect(await revoke(tokens.access_token)).toBe("200 ");
    expect(await answers(call, tokens)).toEqual(dead);
    if (renewed) expect(await answers(call, renewed)).toEqual(alive);
  });

  it("O6: stays active when another client tries to revoke it, which gets the same answer", async () => {
    const { tokens, call } = await grant();
    expect(await revoke(tokens.access_token, other)).toBe("200 ");
    expect(await revoke(`${tokens.access_token}x`)).toBe("200 ");
    expect(await answers(call, tokens)).toEqual(alive);
  });

  it("O6: is active until its expiry, whatever the sweep removes meanwhile", async () => {
    const { tokens, call } = await grant();
    bank.passTime(14, "minute");
    await sweep(bank.db, await bank.ports.clock.now());
    expect(await answers(call, tokens)).toEqual(alive);
    bank.passTime(61, "second");
    await sweep(bank.db, await bank.ports.clock.now());
    expect(await answers(call, tokens)).toEqual(["401 TOKEN_EXPIRED", "401 TOKEN_EXPIRED"]);
  });
});

describe.each([
  ["account information", accounts],
  ["a funds check", funds],
])("O6: the access tokens of %s, on two servers", (_what, grant) => {
  it("O6: are all revoked at the next call once an old refresh token was used again", async () => {
    const { tokens, call } = await grant();
    const renewed = await tokensFrom(await refresh(tokens));
    bank.passTime(61, "second");
    expect(await answers(call, renewed)).toEqual(alive);
    expect(await errorOf(await refresh(tokens))).toBe("400 invalid_grant");
    expect(await answers(call, tokens)).toEqual(dead);
    expect(await answers(call, renewed)).toEqual(dead);
  });

  it("O6: are all revoked at the next call once their refresh token was revoked", async () => {
    const { tokens, call } = await grant();
    expect(await answers(call, tokens)).toEqual(alive);
    expect(await revoke(tokens.refresh_token)).toBe("200 ");
    expect(await answers(call, tokens)).toEqual(dead);
  });
});

it("O6: an access token without its grant is inactive", async () => {
  const { tokens, call, waiting } = await accounts();
  await bank.sql`delete from oidc_payload where account_id = ${waiting.authorisationId}`;
  expect(await answers(call, tokens)).toEqual(dead);
});
