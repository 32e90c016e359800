import type { KeyObject } from "node:crypto";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { readCertificate } from "./certificate";
import { CertificateFault } from "./certificate-fault";
import { checkQwac } from "./qwac";
import { type Issuing, now, startIssuing } from "./testing/issuing";
import { refusal } from "./testing/refusal";
import { nodeKey, signedDer, tbsOf } from "./testing/resigned";

let issuing: Issuing;
let good: Uint8Array;
let key: KeyObject;
beforeAll(async () => {
  issuing = await startIssuing();
  good = await issuing.qwac();
  key = await nodeKey(issuing.authority.keys);
});

/** The same certificates every time. */
const seed = 20_270_301;

type Mutation = { readonly at: number; readonly removed: number; readonly inserted: Uint8Array };

const mutation: fc.Arbitrary<Mutation> = fc.record({
  at: fc.nat(4_000),
  removed: fc.nat(4),
  inserted: fc.uint8Array({ maxLength: 4 }),
});

function mutate(bytes: Uint8Array, mutations: readonly Mutation[]): Uint8Array {
  return mutations.reduce((before, { at, removed, inserted }) => {
    const place = at % before.length;
    return Buffer.concat([before.subarray(0, place), inserted, before.subarray(place + removed)]);
  }, bytes);
}

const mutations = fc.array(mutation, { minLength: 1, maxLength: 3 });

describe("mutated certificates", () => {
  it("C10: 0 of 10,000 accepted, each refused as CERTIFICATE_INVALID", () => {
    fc.assert(
      fc.property(mutations, (list) => {
        const der = mutate(good, list);
        fc.pre(!Buffer.from(good).equals(der));
        const fault = refusal(() => checkQwac(der, issuing.anchors, now));
        expect(fault?.code).toBe("CERTIFICATE_INVALID");
      }),
      { seed, numRuns: 10_000 },
    );
  });

  it("C10: 4000 mutated and signed by a believed issuer: none ends in anything but an answer", () => {
    const tbs = Buffer.from(tbsOf(good).toBER());
    fc.assert(
      fc.property(mutations, (list) => {
        const der = signedDer(mutate(tbs, list), key, "ecdsaSha256");
        const fault = refusal(() => checkQwac(der, issuing.anchors, now));
        expect([undefined, "CERTIFICATE_INVALID", "CERTIFICATE_EXPIRED"]).toContain(fault?.code);
      }),
      { seed, numRuns: 4_000 },
    );
  });

  it("C10: read without asking who issued them, they are read or are at fault", () => {
    fc.assert(
      fc.property(mutations, (list) => {
        try {
          readCertificate(mutate(good, list));
        } catch (error) {
          expect(error).toBeInstanceOf(CertificateFault);
        }
      }),
      { seed, numRuns: 2_000 },
    );
  });
});
