import fc from "fast-check";
import { beforeAll, expect, it } from "vitest";
import { aspspProfile } from "@/lib/domain/aspsp-profile";
import { Rejection } from "@/lib/domain/rejection";
import { sealedRequest } from "./testing/sealing";
import { makeSealingTpp, type SealingTpp } from "./testing/sealing-tpp";
import { BODY } from "./testing/signature-corpus-row";
import { meaningOf, type SignedHeader } from "./testing/signature-meaning";
import { now } from "./testing/tpp";
import { verifySignature } from "./verify-signature";

const body = Buffer.from(BODY);
let tpp: SealingTpp;
/** As good as can be, of either kind of key. */
let good: Readonly<Record<"rsa" | "ec", Request>>;
beforeAll(async () => {
  tpp = await makeSealingTpp();
  const sealed = (seal: "rsa" | "ec") => sealedRequest(tpp, { body: BODY, seal });
  good = { rsa: sealed("rsa"), ec: sealed("ec") };
});

/** Believed, or refused with a text that may leave the house; anything else is a crash. */
function isBelieved(headers: Headers): boolean {
  const request = new Request(good.rsa.url, { method: "POST", headers });
  try {
    verifySignature(
      request,
      body,
      tpp.qwac,
      { trustAnchors: tpp.anchors, profile: aspspProfile },
      now,
    );
    return true;
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    expect(error.faults[0].text).toMatch(/^[^\p{Cc}]{1,500}$/u);
    return false;
  }
}

/** Octets that may stand in a header: all but those that end it. */
const inserted = fc
  .uint8Array({ maxLength: 4 })
  .map((bytes) =>
    Buffer.from(bytes.filter((byte) => ![0, 10, 13].includes(byte))).toString("latin1"),
  );
const meant = fc.string({ maxLength: 4, unit: fc.constantFrom(...'=",: -_/+AaZz09%\\()') });
const mutation = fc.record({
  at: fc.nat(4_000),
  removed: fc.nat(4),
  inserted: fc.oneof(inserted, meant),
});
type Mutation = { readonly at: number; readonly removed: number; readonly inserted: string };

function mutate(value: string, mutations: readonly Mutation[]): string {
  return mutations.reduce((text, { at, removed, inserted: letters }) => {
    const place = at % (text.length + 1);
    return text.slice(0, place) + letters + text.slice(place + removed);
  }, value);
}

const seal = fc.constantFrom("rsa", "ec");
const header = fc.constantFrom<SignedHeader>("signature", "digest", "tpp-signature-certificate");
const mutations = fc.array(mutation, { minLength: 1, maxLength: 3 });

it("each request is believed as it was sent", () => {
  expect(isBelieved(good.rsa.headers)).toBe(true);
  expect(isBelieved(good.ec.headers)).toBe(true);
});

it("C10: of 10,000 mutated headers that mean something else 0 are accepted, none is a crash", () => {
  fc.assert(
    fc.property(seal, header, mutations, (key, name, list) => {
      const sent = good[key].headers.get(name) ?? "nothing";
      const mutated = mutate(sent, list);
      const headers = new Headers(good[key].headers);
      headers.set(name, mutated);
      const believed = isBelieved(headers);
      // What says the same in another way may pass, and is none of the 10,000.
      fc.pre(meaningOf(name, mutated) !== meaningOf(name, sent));
      expect(believed).toBe(false);
    }),
    { seed: 20_261_120, numRuns: 10_000 },
  );
});
