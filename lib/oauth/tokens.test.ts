import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FundsConsent } from "@/lib/domain/funds";
import { addDays, type ConsentId, dayIn, startOfDayIn } from "@/lib/domain/values";
import { eur } from "@/lib/postgres/testing";
import { aspspProfile } from "@/lib/testing-profile";
import { authorisationServer } from "./authorisation-server";
import {
  authoriseResource,
  codeForm,
  describedErrorOf,
  errorOf,
  type Parameters,
  post,
  refreshForm,
  type TestBank,
  type Tokens,
  testBank,
  tokenClient,
  tokensFrom,
  waitingFunds,
  waitingPayment,
} from "./testing";

let client: Awaited<ReturnType<typeof tokenClient>>;
beforeAll(async () => {
  client = await tokenClient();
});
afterAll(() => client.bank.close());

describe("an authorisation code", () => {
  const wrongVerifier = "400 invalid_grant: code_verifier does not match";
  const wrongUri = "400 invalid_grant: redirect_uri is not that of";
  const unknownCode = "400 invalid_grant: the code or refresh token is not known";
  const otherGrantType = "400 unsupported_grant_type: ";

  it.each<[string, Parameters, string]>([
    ["O4: a wrong verifier", { code_verifier: "a".repeat(43) }, wrongVerifier],
    ["O4: no verifier", { code_verifier: undefined }, wrongVerifier],
    ["a wrong redirect_uri", { redirect_uri: "https://tpp.example/ok" }, wrongUri],
    ["no redirect_uri", { redirect_uri: undefined }, "400 invalid_request: "],
    ["no code", { code: undefined }, "400 invalid_request: "],
    ["an unknown code", { code: "unknown" }, unknownCode],
    ["code given twice", { code: ["one", "two"] }, "400 invalid_request: "],
    ["no grant_type", { grant_type: undefined }, "400 invalid_request: "],
    ["grant_type password", { grant_type: "password" }, otherGrantType],
    ["grant_type implicit", { grant_type: "implicit" }, otherGrantType],
    ["grant_type client_credentials", { grant_type: "client_credentials" }, otherGrantType],
    ["no client_id", { client_id: undefined }, "400 invalid_request: client_id is missing"],
    [
      "an unknown client_id",
      { client_id: "PSDRO-NBR-0000000" },
      "401 invalid_client: client_id must be the organizationIdentifier",
    ],
  ])("is not redeemed with %s, and the answer says why", async (_name, changes, refusal) => {
    const { back } = await client.authorised();
    expect(await describedErrorOf(await client.redeem(back, changes))).toContain(refusal);
  });

  it("O4: is revoked after one wrong verifier from its own client", async () => {
    const { back } = await client.authorised();
    await client.redeem(back, { code_verifier: "a".repeat(43) });
    expect(await errorOf(await client.redeem(back))).toBe("400 invalid_grant");
  });

  it("O5: is valid for 60 seconds", async () => {
    const [early, late] = [
      await client.authorised({ recurringIndicator: false }),
      await client.authorised(),
    ];
    client.bank.passTime(50, "second");
    expect((await client.redeem(early.back)).status).toBe(200);
    client.bank.passTime(11, "second");
    const refusal = await describedErrorOf(await client.redeem(late.back));
    expect(refusal).toContain("a code is good once and for 60 seconds");
    expect(refusal).toContain("400 invalid_grant");
  });

  it("O6: is redeemed once; a second attempt revokes the tokens of the first", async () => {
    const { back } = await client.authorised();
    const tokens = await tokensFrom(await client.redeem(back));
    const refusal = await describedErrorOf(await client.redeem(back));
    expect(refusal).toContain(unknownCode);
    expect(await errorOf(await client.refresh(tokens))).toBe("400 invalid_grant");
  });

  it("O6: redeemed 8 times at once over two servers: one 200, seven 400, and the grant is revoked", async () => {
    const second = { ...client.bank, server: authorisationServer(client.bank.ports) };
    for (let round = 0; round < 5; round += 1) {
      const { back } = await client.authorised();
      const form = codeForm(client.example.tpp, back);
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          post(index % 2 ? client.bank : second, form, client.example),
        ),
      );
      const statuses = answers.map(({ status }) => status).sort();
      expect(statuses).toEqual([200, 400, 400, 400, 400, 400, 400, 400]);
      const winner = answers.find(({ status }) => status === 200);
      const tokens = (await winner?.json()) as Tokens;
      expect(await errorOf(await client.refresh(tokens))).toBe("400 invalid_grant");
    }
  });

  it("O13: gives no token when the consent has ended meanwhile", async () => {
    const { consent, back } = await client.authorised();
    await client.bank.terminate(consent);
    expect(await errorOf(await client.redeem(back))).toBe("400 invalid_grant");
  });
});

describe("a refresh token", () => {
  it("that is unknown is refused in characters that error_description allows", async () => {
    const { tokens } = await client.redeemed();
    const answer = await client.refresh({ ...tokens, refresh_token: "unknown" });
    const text = await describedErrorOf(answer);
    expect(text).toContain("a refresh token until the next one is used");
    expect(text).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/);
  });

  it("is given for a recurring consent only", async () => {
    expect((await client.redeemed({ recurringIndicator: true })).tokens.refresh_token).toBeTruthy();
    expect(
      (await client.redeemed({ recurringIndicator: false })).tokens.refresh_token,
    ).toBeUndefined();
  });

  it("O8: works with a renewed certificate, to which the new access token is bound", async () => {
    const { tokens } = await client.redeemed();
    const clientCert = await client.example.renew();
    const renewed = await tokensFrom(
      await post(client.bank, refreshForm(client.example.tpp, tokens), { clientCert }),
    );
    const before = await client.bank.server.accessTokens.read(tokens.access_token);
    const after = await client.bank.server.accessTokens.read(renewed.access_token);
    const { certificate } = await client.bank.ports.identifyTpp(clientCert, new Date());
    const digest = createHash("sha256").update(certificate.raw).digest("base64url");
    expect(after?.thumbprint).toBe(digest);
    expect(before?.thumbprint).not.toBe(digest);
  });

  it("is rotated on each use; the old one used again ends the whole grant", async () => {
    const { tokens } = await client.redeemed();
    const rotated = await tokensFrom(await client.refresh(tokens));
    expect(rotated.refresh_token).not.toBe(tokens.refresh_token);
    client.bank.passTime(61, "second");
    expect(await errorOf(await client.refresh(tokens))).toBe("400 invalid_grant");
    expect(await errorOf(await client.refresh(rotated))).toBe("400 invalid_grant");
  });

  it("O11: never widens or changes its scope", async () => {
    const { consent, tokens } = await client.redeemed();
    const another = await client.bank.consent(client.example.tpp, { recurringIndicator: false });
    await client.bank.finalise(another);
    for (const scope of [`AIS:${another.id}`, `PIS:${consent.id}`, `AIS:${consent.id} openid`]) {
      expect(await errorOf(await client.refresh(tokens, { scope }))).toBe("400 invalid_scope");
    }
    const scope = `ais: ${consent.id} offline_access`;
    const resource = "https://elsewhere.example";
    const same = await tokensFrom(await client.refresh(tokens, { scope, resource }));
    expect(await client.bank.server.accessTokens.read(same.access_token)).toBeDefined();
    expect(same.scope).toBe(`AIS:${consent.id}`);
  });

  it("O13: ends with the consent", async () => {
    const { consent, tokens } = await client.redeemed();
    await client.bank.terminate(consent);
    expect(await errorOf(await client.refresh(tokens))).toBe("400 invalid_grant");
  });

  it("ends with a newer recurring consent of the same TPP and PSU", async () => {
    const { tokens } = await client.redeemed();
    await client.redeemed();
    expect(await errorOf(await client.refresh(tokens))).toBe("400 invalid_grant");
  });

  it("is revoked at the revocation endpoint by its own client only", async () => {
    const { tokens } = await client.redeemed();
    const revoke = (by: typeof client.example) =>
      post(
        client.bank,
        { client_id: by.tpp.id, token: tokens.refresh_token },
        { ...by, path: "/token/revocation" },
      );
    expect((await revoke(client.other)).status).toBe(200);
    const rotated = await tokensFrom(await client.refresh(tokens));
    const own = { client_id: client.example.tpp.id, token: rotated.refresh_token };
    const answer = await post(client.bank, own, { ...client.example, path: "/token/revocation" });
    expect(answer.status).toBe(200);
    expect(await errorOf(await client.refresh(rotated))).toBe("400 invalid_grant");
  });
});

describe("a TPP whose connection broke may repeat the refresh", () => {
  const refused = "400 invalid_grant";
  const refreshed = async (tokens: Tokens) => tokensFrom(await client.refresh(tokens));

  it("within a minute, with the same refresh token, and goes on with the answer that came", async () => {
    const { tokens } = await client.redeemed();
    const lost = await refreshed(tokens);
    client.bank.passTime(59, "second");
    const came = await refreshed(tokens);
    expect(came.refresh_token).not.toBe(lost.refresh_token);
    expect(await client.bank.server.accessTokens.read(came.access_token)).toBeDefined();
    client.bank.passTime(1, "day");
    const next = await refreshed(came);
    expect((await client.refresh(next)).status).toBe(200);
  });

  it("whichever of the two answers it keeps", async () => {
    const { tokens } = await client.redeemed();
    const first = await refreshed(tokens);
    await refreshed(tokens);
    client.bank.passTime(1, "day");
    expect((await client.refresh(first)).status).toBe(200);
  });

  it("at once and as often as it likes: of 8 parallel repeats each is answered", async () => {
    const { tokens } = await client.redeemed();
    const answers = await Promise.all(Array.from({ length: 8 }, () => refreshed(tokens)));
    expect(new Set(answers.map(({ refresh_token }) => refresh_token)).size).toBe(8);
    const [kept] = answers.slice(3);
    expect(kept && (await client.refresh(kept)).status).toBe(200);
  });

  it("but the minute runs from the first use, and repeats do not prolong it", async () => {
    const { tokens } = await client.redeemed();
    await refreshed(tokens);
    client.bank.passTime(50, "second");
    const repeated = await refreshed(tokens);
    client.bank.passTime(11, "second");
    expect(await errorOf(await client.refresh(tokens))).toBe(refused);
    expect(await errorOf(await client.refresh(repeated))).toBe(refused);
  });

  it("but not once it has used the new one: then the answer had come, and the old one is stolen", async () => {
    const { tokens } = await client.redeemed();
    const rotated = await refreshed(tokens);
    const again = await refreshed(rotated);
    expect(await errorOf(await client.refresh(tokens))).toBe(refused);
    expect(await errorOf(await client.refresh(again))).toBe(refused);
  });

  it("but of two answers that both arrived only one stays active: the other, used late, revokes the grant", async () => {
    const { tokens } = await client.redeemed();
    const [one, other] = [await refreshed(tokens), await refreshed(tokens)];
    const kept = await refreshed(one);
    client.bank.passTime(61, "second");
    expect(await errorOf(await client.refresh(other))).toBe(refused);
    expect(await errorOf(await client.refresh(kept))).toBe(refused);
  });

  it("after the end of the consent no more than before", async () => {
    const { consent, tokens } = await client.redeemed();
    await refreshed(tokens);
    await client.bank.terminate(consent);
    expect(await errorOf(await client.refresh(tokens))).toBe(refused);
  });

  it("O1: another client's repeat never works, and ends nothing", async () => {
    const { tokens } = await client.redeemed();
    const rotated = await refreshed(tokens);
    const { example, other, bank } = client;
    const asItself = post(bank, refreshForm(other.tpp, tokens), other);
    expect(await errorOf(await asItself)).toBe(refused);
    const asTheFirst = post(bank, refreshForm(example.tpp, tokens), other);
    expect(await errorOf(await asTheFirst)).toBe("401 invalid_client");
    expect((await client.refresh(rotated)).status).toBe(200);
  });

  it("O8: also with a renewed QWAC of the same organisation", async () => {
    const { tokens } = await client.redeemed();
    await refreshed(tokens);
    const clientCert = await client.example.renew();
    const answer = post(client.bank, refreshForm(client.example.tpp, tokens), { clientCert });
    expect((await answer).status).toBe(200);
  });
});

describe("the certificate is the client authentication", () => {
  it.each(["/token", "/token/revocation"])("C2: %s without a certificate", async (path) => {
    const answer = await post(
      client.bank,
      { client_id: client.example.tpp.id, token: "x" },
      { path },
    );
    expect(await errorOf(answer)).toBe("401 invalid_client");
  });

  it("C2: demands the certificate before it reads anything else", async () => {
    expect(await errorOf(await post(client.bank, {}))).toBe("401 invalid_client");
  });

  it("C4: an unreadable certificate, and one of an unknown issuer", async () => {
    const unknownBank = await testBank();
    const { clientCert } = await unknownBank.tpp(client.example.tpp.id);
    await unknownBank.close();
    const { back } = await client.authorised();
    const form = codeForm(client.example.tpp, back);
    expect(await errorOf(await post(client.bank, form, { clientCert }))).toBe("401 invalid_client");
    const none = { clientCert: ":AAAA:" };
    expect(await errorOf(await post(client.bank, form, none))).toBe("401 invalid_client");
    const two = { clientCert: `${client.example.clientCert}, ${client.example.clientCert}` };
    expect(await errorOf(await post(client.bank, form, two))).toBe("401 invalid_client");
    expect((await post(client.bank, form, client.example)).status).toBe(200);
  });

  it("O1: a client_id that is not the certificate's, as if there were no such client", async () => {
    const { back } = await client.authorised();
    const foreign = await client.redeem(back, {}, client.other);
    const unknown = await client.redeem(back, { client_id: "PSDRO-NBR-0000000" });
    const impossible = await client.redeem(back, { client_id: "PSDRO\u0000" });
    expect([foreign.status, unknown.status, impossible.status]).toEqual([401, 401, 401]);
    const bodies = [await foreign.text(), await unknown.text(), await impossible.text()];
    expect(new Set(bodies).size).toBe(1);
    expect(JSON.parse(bodies[0] ?? "none")).toMatchObject({ error: "invalid_client" });
    expect((await client.redeem(back)).status).toBe(200);
  });

  it("O1: another TPP's code or refresh token is answered like an unknown one", async () => {
    const { back } = await client.authorised({ recurringIndicator: false });
    const { tokens } = await client.redeemed({ recurringIndicator: true });
    const byOther = { client_id: client.other.tpp.id };
    const foreign = await (await client.redeem(back, byOther, client.other)).text();
    const unknown = await (
      await client.redeem(back, { ...byOther, code: "x" }, client.other)
    ).text();
    expect(foreign).toBe(unknown);
    expect(JSON.parse(foreign)).toMatchObject({ error: "invalid_grant" });
    const stolen = await client.refresh(tokens, byOther, client.other);
    expect(await errorOf(stolen)).toBe("400 invalid_grant");
    // A failed attempt of another client revokes nothing.
    expect((await client.redeem(back)).status).toBe(200);
  });
});

describe("payment tokens", () => {
  let bank: TestBank;
  let example: Awaited<ReturnType<TestBank["tpp"]>>;
  beforeAll(async () => {
    bank = await testBank();
    example = await bank.tpp("PSDRO-NBR-1234567", ["PSP_PI"]);
  });
  afterAll(() => bank.close());

  /** A payment that its PSU has authorised, and the redirect with its code. */
  async function authorised() {
    const waiting = await waitingPayment(bank, example.tpp);
    return { waiting, back: await authoriseResource(bank, example.tpp, waiting) };
  }
  const redeem = (back: URL) => post(bank, codeForm(example.tpp, back), example);

  describe("the token of a payment", () => {
    it("is for this payment alone, lasts 15 minutes, and is not refreshed", async () => {
      const { waiting, back } = await authorised();
      const tokens = await tokensFrom(await redeem(back));
      expect(tokens).toMatchObject({ scope: `PIS:${waiting.id}`, expires_in: 900 });
      expect(tokens.refresh_token).toBeUndefined();
      expect(await bank.server.accessTokens.read(tokens.access_token)).toMatchObject({
        scope: `PIS:${waiting.id}`,
        clientId: example.tpp.id,
        authorisationId: waiting.authorisationId,
      });
    });

    it("lasts as long when the PSU came at the last moment, and its code is redeemed at its last", async () => {
      const waiting = await waitingPayment(bank, example.tpp);
      bank.passTime(14 * 60 + 50, "second");
      const back = await authoriseResource(bank, example.tpp, waiting);
      bank.passTime(55, "second");
      expect((await tokensFrom(await redeem(back))).expires_in).toBe(900);
    });

    it("O5: is not given for a code of more than 60 seconds", async () => {
      const { back } = await authorised();
      bank.passTime(61, "second");
      expect(await errorOf(await redeem(back))).toBe("400 invalid_grant");
    });

    it("is given whatever has become of the payment since its PSU said yes", async () => {
      const { waiting, back } = await authorised();
      await bank.sql`update payment_state set status = 'RJCT', reason = 'no-funds'
      where payment_id = ${waiting.id}`;
      expect((await redeem(back)).status).toBe(200);
    });

    it("is not given, nor its code, when a rule of the bank refused the payment", async () => {
      const waiting = await waitingPayment(bank, example.tpp, { dayLimit: eur(1n) });
      await expect(authoriseResource(bank, example.tpp, waiting)).rejects.toThrow(
        "nothing to accept",
      );
      expect(await bank.stores.authorisations.find(waiting.authorisationId)).toMatchObject({
        scaStatus: "finalised",
      });
    });

    it("leaves no grant for longer than it is valid", async () => {
      const { waiting } = await authorised();
      const [grant] = await bank.sql<[{ left: number }]>`
      select extract(epoch from expires_at)::float8 * 1000 as "left" from oidc_payload
      where model = 'Grant' and account_id = ${waiting.authorisationId}`;
      const ends = (grant.left - (await bank.ports.clock.now()).getTime()) / 60_000;
      expect(ends).toBeGreaterThan(74);
      expect(ends).toBeLessThan(75.1);
    });
  });
});

describe("the tokens of a confirmation of funds consent", () => {
  let bank: TestBank;
  let example: Awaited<ReturnType<TestBank["tpp"]>>;
  beforeAll(async () => {
    bank = await testBank();
    example = await bank.tpp("PSDRO-NBR-1234567", ["PSP_IC"]);
  });
  afterAll(() => bank.close());

  const refresh = (tokens: Tokens) => post(bank, refreshForm(example.tpp, tokens), example);

  async function redeemed(given: Partial<FundsConsent> = {}) {
    const waiting = await waitingFunds(bank, example.tpp, given);
    const back = await authoriseResource(bank, example.tpp, waiting);
    const tokens = await tokensFrom(await post(bank, codeForm(example.tpp, back), example));
    return { waiting, tokens };
  }
  const today = async () => dayIn(aspspProfile.timeZone, await bank.ports.clock.now());

  it("are for this consent alone; an access token lasts 15 minutes and can be refreshed", async () => {
    const { waiting, tokens } = await redeemed();
    expect(tokens).toMatchObject({ scope: `PIIS:${waiting.id}`, expires_in: 900 });
    const again = await tokensFrom(await refresh(tokens));
    expect(again).toMatchObject({ scope: `PIIS:${waiting.id}`, expires_in: 900 });
    expect(again.refresh_token).not.toBe(tokens.refresh_token);
  });

  it("each refresh starts another 180 days, for as long as the card is used", async () => {
    let { tokens } = await redeemed();
    for (let time = 0; time < 3; time += 1) {
      bank.passTime(179, "day");
      tokens = await tokensFrom(await refresh(tokens));
    }
    bank.passTime(180, "day");
    expect(await errorOf(await refresh(tokens))).toBe("400 invalid_grant");
  });

  it("none outlives the last day of the card, however often it is refreshed", async () => {
    const last = addDays(await today(), 2);
    const { tokens } = await redeemed({ cardExpiryDate: last });
    const end = startOfDayIn(aspspProfile.timeZone, addDays(last, 1)).getTime();
    bank.passTime(1, "day");
    const rotated = await tokensFrom(await refresh(tokens));
    const left = end - (await bank.ports.clock.now()).getTime();
    bank.passTime(Math.floor(left / 1_000) - 300, "second");
    const again = await tokensFrom(await refresh(rotated));
    expect(again.expires_in).toBeLessThanOrEqual(300);
    const read = await bank.server.accessTokens.read(again.access_token);
    expect(read?.expiresAt.getTime()).toBeLessThanOrEqual(end);
    bank.passTime(301, "second");
    expect(await errorOf(await refresh(again))).toBe("400 invalid_grant");
  });

  it("O13: end with the consent", async () => {
    const { waiting, tokens } = await redeemed();
    const at = await bank.ports.clock.now();
    const consentId = waiting.id as ConsentId;
    const ended = { consentId, from: "valid", to: "terminatedByTpp", at } as const;
    expect(await bank.stores.fundsConsents.end(ended)).toBe(true);
    expect(await errorOf(await refresh(tokens))).toBe("400 invalid_grant");
    const { authorisationId } = waiting;
    expect(await bank.sql`select from oidc_payload where account_id = ${authorisationId}`).toEqual(
      [],
    );
  });

  it("several of the same TPP are active beside each other", async () => {
    const { tokens } = await redeemed();
    await redeemed();
    expect((await refresh(tokens)).status).toBe(200);
  });

  it("O11: a refresh never changes what they are for", async () => {
    const { waiting, tokens } = await redeemed();
    for (const kind of ["AIS", "PIS"]) {
      const scope = `${kind}:${waiting.id}`;
      const form = refreshForm(example.tpp, tokens, { scope });
      expect(await errorOf(await post(bank, form, example))).toBe("400 invalid_scope");
    }
  });
});
