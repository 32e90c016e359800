import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { addTime } from "@/lib/domain/values";
import { type Certificate, readCertificate } from "@/lib/eidas/certificate";
import { readCrl } from "@/lib/eidas/crl";
import { ocspRequest, readOcspResponse } from "@/lib/eidas/ocsp";
import type { Revocation } from "@/lib/eidas/revocation";
import { startIssuer, type TestIssuer } from "@/lib/eidas/testing/revocation";
import { inputs } from "@/lib/testing-inputs";
import { loadCertificateAuthority } from "./certificate-authority";
import {
  answerOcsp,
  crl,
  readSigner,
  revoke,
  revokedIn,
  revokedMax,
  type Signer,
  serveCrl,
  serveOcsp,
  withOwnAuthority,
} from "./certificate-status";
import { issueTppCertificates } from "./tpp-certificates";
import { X509Certificate } from "./x509";

describe("the sandbox CA answers for its certificates", () => {
  const now = new Date();
  let directory: string;
  let signer: Signer;
  let issuer: Certificate;
  let good: Certificate;
  let bad: Certificate;

  const read = (pem: string) => readCertificate(new Uint8Array(new X509Certificate(pem).rawData));

  beforeAll(async () => {
    directory = join(await mkdtemp(join(tmpdir(), "drawbridge-test-")), "ca");
    const authority = await loadCertificateAuthority(directory, now);
    const organisation = { id: "PSDRO-NBR-1", name: "Tpp", roles: ["PSP_AI"], now } as const;
    const statusUrl = "http://localhost:3000/sandbox";
    const made = await issueTppCertificates(authority, { ...organisation, statusUrl });
    [issuer, good, bad] = [read(authority.certificatePem), read(made.qwacPem), read(made.qsealPem)];
    await revoke(directory, { serialNumber: bad.serialNumber, at: now });
    const found = await readSigner(directory);
    if (found === undefined) throw new Error("no CA");
    signer = found;
  });
  afterAll(() => rm(join(directory, ".."), { recursive: true, force: true }));

  it("the certificates name where", () => {
    expect(good.ocspUrls).toEqual(["http://localhost:3000/sandbox/ocsp"]);
    expect(good.crlUrls).toEqual(["http://localhost:3000/sandbox/crl"]);
  });

  it("C5: OCSP says good for one and revoked for the other", async () => {
    const revoked = await revokedIn(directory);
    const statusOf = (certificate: Certificate) => {
      const issued = { certificate, issuer };
      const answer = answerOcsp(ocspRequest(issued), signer, { revoked, now });
      return readOcspResponse(answer, issued, now);
    };
    expect(statusOf(good)).toEqual({ status: "good", until: addTime(now, 10, "minute") });
    expect(statusOf(bad).status).toBe("revoked");
  });

  it("C5: the list holds what is revoked, and nothing when nothing is", async () => {
    const namedIn = (der: Uint8Array) => [...readCrl(der, issuer, now).serialNumbers];
    expect(namedIn(crl(signer, await revokedIn(directory), now))).toEqual([bad.serialNumber]);
    expect(namedIn(crl(signer, [], now))).toEqual([]);
  });

  it.runIf(existsSync("/usr/bin/openssl"))("OpenSSL reads both as we do", async () => {
    const file = (name: string) => join(directory, name);
    const revoked = await revokedIn(directory);
    await writeFile(file("list.der"), crl(signer, revoked, now));
    await writeFile(file("good.pem"), pemOf(good));
    await writeFile(file("bad.pem"), pemOf(bad));
    const listing = openssl(
      "crl",
      "-inform",
      "DER",
      "-in",
      file("list.der"),
      "-CAfile",
      file("ca.pem"),
      "-noout",
    );
    expect(listing).toContain("verify OK");
    const asked = ["-issuer", file("ca.pem"), "-cert", file("good.pem"), "-cert", file("bad.pem")];
    openssl("ocsp", ...asked, "-no_nonce", "-reqout", file("request.der"));
    const request = spawnSync("cat", [file("request.der")]).stdout;
    await writeFile(file("answer.der"), answerOcsp(request, signer, { revoked, now }));
    const told = openssl(
      "ocsp",
      ...asked,
      "-respin",
      file("answer.der"),
      "-CAfile",
      file("ca.pem"),
      "-no_nonce",
    );
    expect(told).toContain("Response verify OK");
    expect(told).toMatch(/good\.pem: good/);
    expect(told).toMatch(/bad\.pem: revoked/);
  });

  const pemOf = ({ x509 }: Certificate) => x509.toString();

  function openssl(...args: readonly string[]): string {
    const { stdout, stderr } = spawnSync("openssl", args, { encoding: "utf8" });
    return stdout + stderr;
  }
});

describe("the addresses of the sandbox CA", () => {
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

  const services = (SANDBOX = true, DATA_DIR = issuer.folder) => ({
    config: { SANDBOX, DATA_DIR },
    clock: { now: async () => now },
  });
  const issued = (certificate: Certificate) => ({ certificate, issuer: issuer.certificate });
  const post = (body: Uint8Array) =>
    new Request(ADDRESS, { method: "POST", body: new Uint8Array(body) });
  const get = (inPath: string) => serveOcsp(services(), new Request(`${ADDRESS}/x`), inPath);
  const bytes = async (response: Response) => new Uint8Array(await response.arrayBuffer());
  const status = async (response: Response, certificate: Certificate) => {
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/ocsp-response");
    return readOcspResponse(await bytes(response), issued(certificate), now).status;
  };

  describe("the sandbox CA's responder", () => {
    it("C5: answers a request by POST, by the bank's clock", async () => {
      const asked = (certificate: Certificate) =>
        serveOcsp(services(), post(ocspRequest(issued(certificate))));
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
      const answer = await bytes(await serveOcsp(services(), post(ocspRequest(theirs))));
      // Signed by a CA that cannot speak for the other: believed only by who takes its key for theirs.
      const believing = { ...other.certificate, publicKey: issuer.certificate.publicKey };
      const asked = { certificate: bad, issuer: believing };
      expect(readOcspResponse(answer, asked, now).status).toBe("unknown");
      await other.close();
    });

    it("answers malformedRequest to anything that is no request", async () => {
      const malformed = Buffer.from("30030a0101", "hex");
      const request = ocspRequest(issued(good));
      const none = [Uint8Array.of(), Buffer.from("request"), request.subarray(1)];
      for (const body of none) {
        expect(await bytes(await serveOcsp(services(), post(body)))).toEqual(
          new Uint8Array(malformed),
        );
      }
      for (const text of ["%", "%zz", "x", "%00"]) {
        expect(await bytes(await get(text))).toEqual(new Uint8Array(malformed));
      }
    });

    it("answers each mutated request", () => {
      const request = ocspRequest(issued(good));
      const place = fc.nat(request.length - 1);
      const about = { revoked: [], now };
      fc.assert(
        fc.property(place, fc.nat(3), fc.uint8Array({ maxLength: 3 }), (at, removed, inserted) => {
          const rest = request.subarray(at + removed);
          const mutated = Buffer.concat([request.subarray(0, at), inserted, rest]);
          expect(answerOcsp(mutated, issuer.signer, about)[0]).toBe(0x30);
        }),
        { seed: 20_261_121, numRuns: inputs(2_000) },
      );
    });

    it("X1: takes no more than 4 KiB", async () => {
      expect((await serveOcsp(services(), post(Buffer.alloc(4_096)))).status).toBe(200);
      expect((await serveOcsp(services(), post(Buffer.alloc(4_097)))).status).toBe(413);
      expect((await get("A".repeat(8_000))).status).toBe(413);
    });
  });

  describe("the sandbox CA's list", () => {
    it("C5: names what is revoked, once, by the bank's clock", async () => {
      const response = await serveCrl(services());
      expect(response.headers.get("content-type")).toBe("application/pkix-crl");
      const { serialNumbers } = readCrl(await bytes(response), issuer.certificate, now);
      expect([...serialNumbers]).toEqual([bad.serialNumber]);
    });
  });

  describe("X11: outside the sandbox, or in one without a CA of its own,", () => {
    it.each([
      ["outside", () => services(false)],
      ["without a CA", () => services(true, join(issuer.folder, "nowhere"))],
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
});

describe("what the sandbox's own CA has revoked", () => {
  const now = new Date();
  let issuer: TestIssuer;
  let tpp: Certificate;
  beforeEach(async () => {
    issuer = await startIssuer(now);
    tpp = await issuer.tpp();
  });
  afterEach(() => issuer.close());

  const folder = () => join(issuer.folder, "ca");
  const ask = ({ check }: Revocation, from = issuer) =>
    check({ certificate: tpp, issuer: from.certificate }, { hard: true, now });

  /** Counts what is asked of other issuers. */
  function elsewhere() {
    let asked = 0;
    const revocation: Revocation = {
      check: async () => {
        asked += 1;
        return "good";
      },
    };
    return { revocation, asked: () => asked };
  }

  it("C5: is refused at the very next call, without asking an issuer", async () => {
    const others = elsewhere();
    const own = withOwnAuthority(others.revocation, folder());
    expect(await ask(own)).toBe("good");
    await revoke(folder(), { serialNumber: tpp.serialNumber, at: now });
    expect(await ask(own)).toBe("revoked");
    const another = await issuer.tpp();
    const asking = { certificate: another, issuer: issuer.certificate };
    const when = { hard: true, now };
    expect(await own.check(asking, when)).toBe("good");
    await revoke(folder(), { serialNumber: another.serialNumber, at: now });
    expect(await own.check(asking, when)).toBe("revoked");
    expect(others.asked()).toBe(0);
  });

  it("does not touch its other certificates", async () => {
    const own = withOwnAuthority(elsewhere().revocation, folder());
    await revoke(folder(), { serialNumber: tpp.serialNumber + 1n, at: now });
    expect(await ask(own)).toBe("good");
  });

  it("is the CA's by its key; of other issuers it knows nothing", async () => {
    const other = await startIssuer(now);
    const others = elsewhere();
    const own = withOwnAuthority(others.revocation, folder());
    await revoke(folder(), { serialNumber: tpp.serialNumber, at: now });
    for (const times of [1, 2]) {
      expect(await ask(own, other)).toBe("good");
      expect(await ask(own)).toBe("revoked");
      expect(others.asked()).toBe(times);
    }
    await other.close();
  });

  it("is empty in a sandbox without a CA", async () => {
    await rm(folder(), { recursive: true });
    const others = elsewhere();
    const own = withOwnAuthority(others.revocation, folder());
    expect(await ask(own)).toBe("good");
    expect(others.asked()).toBe(1);
  });

  it("ends the request when the list is unreadable, until it is repaired", async () => {
    const own = withOwnAuthority(elsewhere().revocation, folder());
    await writeFile(join(folder(), "revoked"), "5a 2026-11-21\n");
    await expect(ask(own)).rejects.toThrow("list of revoked certificates is unreadable");
    await rm(join(folder(), "revoked"));
    expect(await ask(own)).toBe("good");
  });
});

describe("the file of what the sandbox CA has revoked", () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "drawbridge-revoked-"));
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  const first = new Date("2026-11-21T10:00:00.000Z");
  const later = new Date("2026-11-22T10:00:00.000Z");

  it("is empty as long as it does not exist", async () => {
    expect(await revokedIn(directory)).toEqual([]);
  });

  it("holds a certificate once, as of the first time, however often it is revoked", async () => {
    await revoke(directory, { serialNumber: 7n, at: first });
    await revoke(directory, { serialNumber: (1n << 159n) - 1n, at: first });
    await revoke(directory, { serialNumber: 7n, at: later });
    const found = await revokedIn(directory);
    expect(found).toHaveLength(2);
    expect(found).toContainEqual({ serialNumber: 7n, at: first });
    expect(found).toContainEqual({ serialNumber: (1n << 159n) - 1n, at: first });
  });

  it("loses nothing of processes that write at once", async () => {
    const numbers = Array.from({ length: 50 }, (_, index) => BigInt(index + 1));
    await Promise.all(
      numbers.map((serialNumber) => revoke(directory, { serialNumber, at: first })),
    );
    const found = await revokedIn(directory);
    expect(new Set(found.map(({ serialNumber }) => serialNumber))).toEqual(new Set(numbers));
  });

  it("forgets the older half of too many", async () => {
    const line = (number: number) =>
      `${number.toString(16).padStart(4, "0")} ${first.toISOString()}\n`;
    const full = Array.from({ length: revokedMax }, (_, index) => line(index + 1)).join("");
    await writeFile(join(directory, "revoked"), full);
    await revoke(directory, { serialNumber: BigInt(revokedMax + 1), at: later });
    const numbers = (await revokedIn(directory)).map(({ serialNumber }) => Number(serialNumber));
    expect(numbers).toHaveLength(revokedMax / 2);
    expect([Math.min(...numbers), Math.max(...numbers)]).toEqual([
      revokedMax / 2 + 2,
      revokedMax + 1,
    ]);
  });
});
