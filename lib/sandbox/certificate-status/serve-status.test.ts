import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Certificate } from "@/lib/eidas/certificate";
import { readCrl } from "@/lib/eidas/revocation/crl";
import { ocspRequest } from "@/lib/eidas/revocation/ocsp-request";
import { readOcspResponse } from "@/lib/eidas/revocation/ocsp-response";
import { startIssuer, type TestIssuer } from "@/lib/eidas/revocation/testing/issuer";
import { answerOcsp } from "./ocsp";
import { revoke } from "./revoked-file";
import { serveCrl, serveOcsp } from "./serve-status";

/** Of a sandbox whose clock was moved on, past the year that two digits are enough for. */
const now = new Date("2051-03-01T12:00:00.750Z");
const ADDRESS = "http://localhost:3000/sandbox/ocsp";
let issuer: TestIssuer;
let good: Certificate;
let bad: Certificate;
beforeAll(async () => {
  issuer = await startIssuer(new Date());
  [good, bad] = [await issuer.tpp(), await issuer.tpp()];
  for (const at of [now, new Date()]) {
    await revoke(join(issuer.folder, "ca"), { serialNumber: bad.serialNumber, at });
  }
});
afterAll(() => issuer.close());

const house = (SANDBOX = true, DATA_DIR = issuer.folder) => ({
  config: { SANDBOX, DATA_DIR },
  clock: { now: async () => now },
});
const issued = (certificate: Certificate) => ({ certificate, issuer: issuer.certificate });
const post = (body: Uint8Array) =>
  new Request(ADDRESS, { method: "POST", body: new Uint8Array(body) });
const get = (inPath: string) => serveOcsp(house(), new Request(`${ADDRESS}/x`), inPath);
const bytes = async (response: Response) => new Uint8Array(await response.arrayBuffer());
const status = async (response: Response, certificate: Certificate) => {
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("application/ocsp-response");
  return readOcspResponse(await bytes(response), issued(certificate), now).status;
};

describe("the sandbox CA's responder", () => {
  it("C5: answers a request by POST, by the bank's clock", async () => {
    const asked = (certificate: Certificate) =>
      serveOcsp(house(), post(ocspRequest(issued(certificate))));
    expect(await status(await asked(good), good)).toBe("good");
    expect(await status(await asked(bad), bad)).toBe("revoked");
  });

  it("C5: answers one in the address, percent-encoded or not", async () => {
    const base64 = Buffer.from(ocspRequest(issued(bad))).toString("base64");
    const everyCharacter = Array.from(base64, (one) => `%${one.charCodeAt(0).toString(16)}`);
    for (const text of [base64, encodeURIComponent(base64), everyCharacter.join("")]) {
      expect(await status(await get(text), bad)).toBe("revoked");
    }
  });

  it("knows nothing of another issuer's certificates, though they have the same number", async () => {
    const other = await startIssuer(new Date());
    const theirs = { certificate: bad, issuer: other.certificate };
    const answer = await bytes(await serveOcsp(house(), post(ocspRequest(theirs))));
    // Signed by a CA that cannot speak for the other: believed only by who takes its key for theirs.
    const believing = { ...other.certificate, publicKey: issuer.certificate.publicKey };
    const asked = { certificate: bad, issuer: believing };
    expect(readOcspResponse(answer, asked, now).status).toBe("unknown");
    await other.close();
  });

  it("says of what is no request that it is malformed, whatever it is", async () => {
    const malformed = Buffer.from("30030a0101", "hex");
    const request = ocspRequest(issued(good));
    const none = [Uint8Array.of(), Buffer.from("request"), request.subarray(1)];
    for (const body of none) {
      expect(await bytes(await serveOcsp(house(), post(body)))).toEqual(new Uint8Array(malformed));
    }
    for (const text of ["%", "%zz", "x", "%00"]) {
      expect(await bytes(await get(text))).toEqual(new Uint8Array(malformed));
    }
  });

  it("ends in nothing but an answer, for 2,000 mutated requests", () => {
    const request = ocspRequest(issued(good));
    const place = fc.nat(request.length - 1);
    const about = { revoked: [], now };
    fc.assert(
      fc.property(place, fc.nat(3), fc.uint8Array({ maxLength: 3 }), (at, removed, inserted) => {
        const rest = request.subarray(at + removed);
        const mutated = Buffer.concat([request.subarray(0, at), inserted, rest]);
        expect(answerOcsp(mutated, issuer.signer, about)[0]).toBe(0x30);
      }),
      { seed: 20_261_121, numRuns: 2_000 },
    );
  });

  it("X1: takes no more than 4 KiB", async () => {
    expect((await serveOcsp(house(), post(Buffer.alloc(4_096)))).status).toBe(200);
    expect((await serveOcsp(house(), post(Buffer.alloc(4_097)))).status).toBe(413);
    expect((await get("A".repeat(8_000))).status).toBe(413);
  });
});

describe("the sandbox CA's list", () => {
  it("C5: names what is revoked, once, by the bank's clock", async () => {
    const response = await serveCrl(house());
    expect(response.headers.get("content-type")).toBe("application/pkix-crl");
    const { serialNumbers } = readCrl(await bytes(response), issuer.certificate, now);
    expect([...serialNumbers]).toEqual([bad.serialNumber]);
  });
});

describe("X11: outside the sandbox, or in one without a CA of its own,", () => {
  it.each([
    ["outside", () => house(false)],
    ["without a CA", () => house(true, join(issuer.folder, "nowhere"))],
  ] as const)("%s: there is neither responder nor list", async (_what, elsewhere) => {
    const request = post(ocspRequest(issued(good)));
    const answers = [
      await serveOcsp(elsewhere(), request),
      await serveOcsp(elsewhere(), new Request(ADDRESS), "AAAA"),
      await serveCrl(elsewhere()),
    ];
    for (const answer of answers) {
      expect([answer.status, await answer.text()]).toEqual([
        404,
        "there is nothing at this address\n",
      ]);
    }
  });
});
