import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { issuer, type TestBank, testBank } from "./testing/bank";
import { testBrowser } from "./testing/browser";
import { accepted, authorisationRequest, open } from "./testing/tpp-journey";

let bank: TestBank;
let example: Awaited<ReturnType<TestBank["tpp"]>>;
beforeAll(async () => {
  bank = await testBank();
  example = await bank.tpp("PSDRO-NBR-1234567");
});
afterAll(() => bank.close());

// RFC 9207: a TPP of many banks sees whose answer it holds before it takes the code anywhere.
describe("O10: an answer that reaches the TPP's redirect URI says who gives it", () => {
  it("O10: once, when there is a code", async () => {
    const consent = await bank.consent(example.tpp);
    const browser = testBrowser();
    const page = await open(bank, authorisationRequest(example.tpp, consent), browser);
    await bank.finalise(consent);
    const cookies = browser.cookiesFor(page.pathname);
    const onward = await accepted(bank, page, cookies, consent);
    const back = await open(bank, onward, browser);
    expect(back.searchParams.has("code")).toBe(true);
    expect(back.searchParams.getAll("iss")).toEqual([issuer]);
  });

  it.each([
    { response_type: "token" },
    { scope: "AIS:unknown" },
    { iss: "https://evil.example", response_type: "token" },
  ])("O10: once, when there is an error: %j", async (changes) => {
    const consent = await bank.consent(example.tpp);
    const request = authorisationRequest(example.tpp, consent, changes);
    const back = await open(bank, request, testBrowser());
    expect(back.searchParams.has("error")).toBe(true);
    expect(back.searchParams.getAll("iss")).toEqual([issuer]);
  });
});
