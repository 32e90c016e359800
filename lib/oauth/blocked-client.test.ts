import { afterAll, beforeAll, expect, it } from "vitest";
import { issuer, okUri, type TestBank, testBank, webUrl } from "./testing/bank";
import { testBrowser } from "./testing/browser";
import { authorisationRequest, open } from "./testing/tpp-journey";

let bank: TestBank;
beforeAll(async () => {
  bank = await testBank();
});
afterAll(() => bank.close());

async function waiting(id: string) {
  const { tpp } = await bank.tpp(id);
  const consent = await bank.consent(tpp);
  const ask = (changes = {}) =>
    open(bank, authorisationRequest(tpp, consent, changes), testBrowser());
  return { tpp, consent, ask };
}

it("C6: a blocked TPP starts no authorisation: unauthorized_client, until it is let in again", async () => {
  const { tpp, ask } = await waiting("PSDRO-NBR-1");
  const other = await waiting("PSDRO-NBR-2");
  const { stopList } = bank.ports;
  await stopList.block({ tppId: tpp.id, blockedAt: new Date(), reason: "suspected of fraud" });
  const back = await ask();
  expect(`${back.origin}${back.pathname}?from=bank`).toBe(okUri);
  expect(Object.fromEntries(back.searchParams)).toEqual({
    from: "bank",
    error: "unauthorized_client",
    error_description: "the bank does not serve this client now",
    state: "a state & more",
    iss: issuer,
  });
  expect((await other.ask()).href).toContain(`${webUrl}/authorise/`);
  await stopList.unblock(tpp.id, new Date());
  expect((await ask()).href).toContain(`${webUrl}/authorise/`);
});

it("C6: of a blocked TPP, too, nobody is sent to an address that it has not signed", async () => {
  const { tpp, ask } = await waiting("PSDRO-NBR-3");
  await bank.ports.stopList.block({ tppId: tpp.id, blockedAt: new Date() });
  const page = await ask({ redirect_uri: "https://elsewhere.example/" });
  expect(page.href).toBe(`${webUrl}/authorise/ended?reason=wrong-redirect-uri`);
});
