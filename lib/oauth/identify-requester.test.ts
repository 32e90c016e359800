import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AccountConsent } from "@/lib/domain/consent/account-consent";
import { okUri, type TestBank, testBank, webUrl } from "./testing/bank";
import { testBrowser } from "./testing/browser";
import { authorisationRequest, open, type Parameters } from "./testing/tpp-journey";

let bank: TestBank;
let example: Awaited<ReturnType<TestBank["tpp"]>>;
let consent: AccountConsent;
beforeAll(async () => {
  bank = await testBank();
  example = await bank.tpp("PSDRO-NBR-1234567");
  consent = await bank.consent(example.tpp);
});
afterAll(() => bank.close());

const ask = (changes: Parameters, of = consent) =>
  open(bank, authorisationRequest(example.tpp, of, changes), testBrowser());

const ended = (reason: string) => `${webUrl}/authorise/ended?reason=${reason}`;

describe("a fault in client_id or redirect_uri ends on the bank's own page", () => {
  it.each<[string, Parameters]>([
    ["missing", { client_id: undefined }],
    ["empty", { client_id: "" }],
    ["unknown", { client_id: "PSDRO-NBR-0000000" }],
    ["in lower case", { client_id: "psdro-nbr-1234567" }],
    ["with a NUL", { client_id: "PSDRO-NBR-1234567\u0000" }],
    ["given twice", { client_id: ["PSDRO-NBR-1234567", "PSDRO-NBR-1234567"] }],
    ["a URL, as for a metadata document", { client_id: "https://tpp.example/client" }],
  ])("client_id %s", async (_name, changes) => {
    expect((await ask(changes)).href).toBe(ended("unknown-client"));
  });

  it.each([
    "https://tpp.example/other?from=bank",
    "https://tpp.example/ok",
    "https://tpp.example/ok?from=bank&more=1",
    "https://tpp.example/ok?from=bank#fragment",
    "https://tpp.example/ok?from=bank#",
    "https://user@tpp.example/ok?from=bank",
    "https://tpp.example@evil.example/ok?from=bank",
    "https://tpp.example/../ok?from=bank",
    "https://tpp.example/x/../ok?from=bank",
    "https://tpp.example/ok/?from=bank",
    "https://TPP.example/ok?from=bank",
    "HTTPS://tpp.example/ok?from=bank",
    "http://tpp.example/ok?from=bank",
    "https://localhost/ok?from=bank",
    "http://localhost:8080/ok?from=bank",
    "https://tpp.exаmple/ok?from=bank",
    "https://tpp.example:443/ok?from=bank",
    "https://tpp.example:8443/ok?from=bank",
    "https://tpp.example/%6fk?from=bank",
    "https://tpp.example.evil.example/ok?from=bank",
    "//tpp.example/ok?from=bank",
    " https://tpp.example/ok?from=bank",
    "https:\\\\tpp.example/ok?from=bank",
    "javascript:alert(1)",
    "https://redirect-uri.invalid/",
    "",
  ])("O3: redirect_uri %s", async (redirectUri) => {
    expect((await ask({ redirect_uri: redirectUri })).href).toBe(ended("wrong-redirect-uri"));
  });

  it.each<[string, Parameters]>([
    ["missing", { redirect_uri: undefined }],
    ["given twice", { redirect_uri: [okUri, okUri] }],
    ["the Nok URI of the resource", { redirect_uri: "https://tpp.example/nok" }],
  ])("O3: redirect_uri %s", async (_name, changes) => {
    expect((await ask(changes)).href).toBe(ended("wrong-redirect-uri"));
  });

  it("O3: the URI of another resource of the same TPP", async () => {
    const redirectUri = "https://tpp.example/second";
    const second = await bank.consent(example.tpp, {}, { wayBack: { redirectUri } });
    expect((await ask({ redirect_uri: redirectUri })).href).toBe(ended("wrong-redirect-uri"));
    expect((await ask({ redirect_uri: redirectUri }, second)).pathname).toMatch(/^\/authorise\/./);
  });

  it("O2: a scope of another TPP proves no redirect_uri", async () => {
    const redirectUri = "https://other.example/ok";
    const other = await bank.tpp("PSDDE-BAFIN-99");
    const theirs = await bank.consent(other.tpp, {}, { wayBack: { redirectUri } });
    const answer = await ask({ redirect_uri: redirectUri }, theirs);
    expect(answer.href).toBe(ended("wrong-redirect-uri"));
  });
});
