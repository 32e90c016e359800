import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { UnavailableError } from "@/lib/domain/unavailable";
import { tokenClient } from "./testing/token-client";
import { authorisationRequest, tokensFrom } from "./testing/tpp-journey";

let client: Awaited<ReturnType<typeof tokenClient>>;
beforeAll(async () => {
  client = await tokenClient();
});
afterAll(() => client.bank.close());

type Port = { readonly owner: object; readonly method: string };
const taken: (() => void)[] = [];
/** From now on, until the end of the test, this part of the bank throws. */
function fail({ owner, method }: Port, error: Error): void {
  const working: unknown = Reflect.get(owner, method);
  taken.push(() => void Reflect.set(owner, method, working));
  Reflect.set(owner, method, () => Promise.reject(error));
}
function mend(): void {
  for (const giveBack of taken.splice(0)) giveBack();
}
afterEach(mend);

const away = () =>
  new Error("Failed query", { cause: new UnavailableError("the database is away (57P01)") });
/** Asked before the library is, and by the library in the middle of its own work. */
const ports = (): readonly Port[] => [
  { owner: client.bank.ports.clock, method: "now" },
  { owner: client.bank.stores.models, method: "find" },
  { owner: client.bank.stores.tpps, method: "find" },
];

describe("the bank's database is away", () => {
  it("to a TPP's server: 503 temporarily_unavailable with Retry-After, and the code is not lost", async () => {
    const { back } = await client.authorised();
    for (const port of ports()) {
      fail(port, away());
      const answer = await client.redeem(back);
      expect([port.method, answer.status]).toEqual([port.method, 503]);
      expect(answer.headers.get("retry-after")).toBe("2");
      expect(answer.headers.get("cache-control")).toBe("no-store");
      expect(await answer.json()).toMatchObject({ error: "temporarily_unavailable" });
      mend();
    }
    expect(await tokensFrom(await client.redeem(back))).toMatchObject({ token_type: "Bearer" });
  });

  it("to a PSU's browser: 503 with Retry-After, and no way to the TPP with an error", async () => {
    const consent = await client.bank.consent(client.example.tpp);
    const url = authorisationRequest(client.example.tpp, consent);
    for (const port of ports().filter(({ owner }) => owner !== client.bank.stores.models)) {
      fail(port, away());
      const answer = await client.bank.server.serve(new Request(url));
      expect([port.method, answer.status]).toEqual([port.method, 503]);
      expect(answer.headers.get("location")).toBeNull();
      mend();
    }
    expect((await client.bank.server.serve(new Request(url))).status).toBe(303);
  });
});

it("another fault of the bank's own is a 500 that says nothing of trying again", async () => {
  const { back } = await client.authorised();
  for (const port of ports()) {
    fail(port, new Error("a mistake"));
    const answer = await client.redeem(back);
    expect([port.method, answer.status]).toEqual([port.method, 500]);
    expect(answer.headers.get("retry-after")).toBeNull();
    mend();
  }
});
