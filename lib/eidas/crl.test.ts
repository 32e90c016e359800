import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Integer, Sequence } from "asn1js";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addTime } from "@/lib/domain/values";
import type { Signer } from "@/lib/sandbox/certificate-status";
import type { Certificate } from "./certificate";
import { CertificateFault } from "./certificate-fault";
import { derInteger, derValues, readCrl } from "./crl";
import {
  extensions,
  hasOpenssl,
  openssl,
  signedList,
  startIssuer,
  type TestIssuer,
  writeIndex,
} from "./testing/revocation";

describe("crl", () => {
  const now = new Date(Math.floor(Date.now() / 1_000) * 1_000);
  const at = (seconds: number) => addTime(now, seconds, "second");
  let issuer: TestIssuer;
  let signer: Signer;
  let tpp: Certificate;
  beforeAll(async () => {
    issuer = await startIssuer(now);
    tpp = await issuer.tpp();
    signer = issuer.signer;
  });
  afterAll(() => issuer.close());

  const read = (der: Uint8Array, when = now) => readCrl(der, issuer.certificate, when);
  const list = (changes: Partial<Parameters<typeof signedList>[1]> = {}) =>
    signedList(signer, { now, ...changes });

  describe("a list of revoked certificates", () => {
    it("C5: names each by its serial number, for any reason", () => {
      const reasons = [undefined, 0, 1, 2, 3, 4, 5, 6, 8, 9, 10];
      const entries = reasons.map((reason, index) => ({
        serialNumber: BigInt(index + 1) << 119n,
        ...(reason !== undefined && { reason }),
      }));
      const { serialNumbers } = read(list({ entries }));
      expect([...serialNumbers]).toEqual(entries.map(({ serialNumber }) => serialNumber));
    });

    it("may be empty", () => {
      expect(read(list()).serialNumbers.size).toBe(0);
    });

    it("is cached for ten minutes at most, or until it expires", () => {
      expect(read(list()).until).toEqual(at(600));
      expect(read(list({ nextUpdate: at(240) })).until).toEqual(at(240));
    });

    it("C5: is not trusted after nextUpdate, before thisUpdate, or without nextUpdate", () => {
      const short = list({ nextUpdate: at(-299) });
      expect(read(short).serialNumbers.size).toBe(0);
      expect(() => read(short, at(1))).toThrow("out of date");
      expect(() => read(list(), at(-301))).toThrow("made in the future");
      expect(() => read(list({ nextUpdate: null }))).toThrow("unreadable");
      const entries = [{ serialNumber: 1n }];
      expect(() => read(list({ nextUpdate: null, entries }))).toThrow("unreadable");
    });

    it("C5: of another issuer is not trusted, whichever key signed it", async () => {
      const elsewhere = await startIssuer(now);
      expect(() => readCrl(list(), elsewhere.certificate, now)).toThrow("not signed by whom");
      await elsewhere.close();
      expect(() => read(list({ name: new Sequence() }))).toThrow("another issuer's");
    });

    it("C5: of an issuer that may not sign lists is not trusted", () => {
      const bare = { ...issuer.certificate, keyUsage: ["keyCertSign"] } as const;
      expect(() => readCrl(list(), bare, now)).toThrow("may not sign lists");
    });

    it("C5: that is partial or indirect is not used, not even when that is not marked critical", () => {
      for (const id of ["2.5.29.27", "2.5.29.28"]) {
        for (const critical of [true, false]) {
          const cut = list({ extensions: extensions(id, critical) });
          expect(() => read(cut)).toThrow(`critical extension ${id}`);
        }
      }
    });

    it("C5: with an extension not understood is not used when that is critical", () => {
      const odd = (critical: boolean) => list({ extensions: extensions("1.2.3.4", critical) });
      expect(() => read(odd(true))).toThrow("critical extension 1.2.3.4");
      expect(read(odd(false)).serialNumbers.size).toBe(0);
    });

    it("C5: with an entry about another issuer's certificate is not used", () => {
      const entry = (critical: boolean) => ({
        serialNumber: 1n,
        extensions: extensions("2.5.29.29", critical),
      });
      expect(() => read(list({ entries: [entry(true)] }))).toThrow("critical extension");
      expect(read(list({ entries: [entry(false)] })).serialNumbers.size).toBe(1);
    });

    it("that is malformed is unreadable", () => {
      const entries = [{ serialNumber: 1n }];
      const known = extensions("2.5.29.20", false);
      const more = list({ entries, extensions: known, more: [new Sequence()] });
      const twice = Buffer.concat([list(), list()]);
      const none = [Uint8Array.of(), Buffer.from("<html>"), list().subarray(2), more, twice];
      for (const der of none) expect(() => read(der)).toThrow("unreadable");
    });

    it("of 20,000 entries with reasons fits", () => {
      const entries = Array.from({ length: 20_000 }, (_, index) => ({
        serialNumber: (0x5an << 152n) + BigInt(index),
        reason: 4,
      }));
      const long = list({ entries });
      expect(long.byteLength).toBeGreaterThan(1_000_000);
      const { serialNumbers } = read(long);
      expect(serialNumbers.size).toBe(20_000);
      expect(serialNumbers.has((0x5an << 152n) + 19_999n)).toBe(true);
    });
  });

  describe.runIf(hasOpenssl)("a list made by OpenSSL", () => {
    it.each(["keyCompromise", "certificateHold", "removeFromCRL"])(
      "C5: names a certificate revoked with %s",
      async (reason) => {
        const listed = await made([{ certificate: tpp, revoked: `261101000000Z,${reason}` }]);
        expect([...read(listed, new Date()).serialNumbers]).toEqual([tpp.serialNumber]);
      },
    );

    it("does not name a good certificate", async () => {
      expect(read(await made([{ certificate: tpp }]), new Date()).serialNumbers.size).toBe(0);
    });
  });

  async function made(entries: Parameters<typeof writeIndex>[1]): Promise<Uint8Array> {
    const file = (name: string) => join(issuer.folder, name);
    await writeIndex(file("list-index"), entries);
    const settings = `[ca]\ndefault_ca=own\n[own]\ndatabase=${file("list-index")}\n`;
    await writeFile(file("settings"), `${settings}default_md=sha256\ndefault_crl_days=1\n`);
    const { certificate, key } = issuer.own;
    const files = ["-cert", certificate, "-keyfile", key, "-out", file("list.pem")];
    openssl("ca", "-config", file("settings"), "-gencrl", ...files);
    openssl("crl", "-in", file("list.pem"), "-outform", "DER", "-out", file("list.der"));
    return readFile(file("list.der"));
  }
});

describe("DER values", () => {
  const values = (hex: string) => derValues(Buffer.from(hex, "hex"));

  it("are read one after the other", () => {
    const [first, second, ...more] = values("020105" + "30030101ff");
    expect([first?.tag, second?.tag, more.length]).toEqual([0x02, 0x30, 0]);
    expect(Buffer.from(second?.content ?? []).toString("hex")).toBe("0101ff");
    expect(Buffer.from(second?.whole ?? []).toString("hex")).toBe("30030101ff");
    expect(values("")).toEqual([]);
  });

  it("have lengths in as many octets as they need", () => {
    const long = (octets: number) => Buffer.alloc(octets).toString("hex");
    expect(values(`047f${long(127)}`)[0]?.content.length).toBe(127);
    expect(values(`048180${long(128)}`)[0]?.content.length).toBe(128);
    expect(values(`04820100${long(256)}`)[0]?.content.length).toBe(256);
  });

  it.each([
    ["a tag alone", "30"],
    ["a tag of several octets", "1f0100"],
    ["an indefinite length", "3080020101" + "0000"],
    ["more octets of length than there are", "3082"],
    ["a length that could be shorter", "04810100"],
    ["a length that begins with nought", `04820080${"00".repeat(128)}`],
    ["more octets of length than any number has", `04ff${"ff".repeat(130)}`],
    ["a length beyond the end", "0403ffff"],
    ["the largest length of all", "0484ffffffff00"],
  ])("%s is unreadable", (_what, hex) => {
    expect(() => values(hex)).toThrow(CertificateFault);
  });

  it("have integers as other decoders read them", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(1n << 161n), max: 1n << 161n }), (number) => {
        const [value] = derValues(new Uint8Array(Integer.fromBigInt(number).toBER()));
        expect(derInteger(value)).toBe(number);
      }),
    );
    expect(() => derInteger(values("0200")[0])).toThrow(CertificateFault);
    expect(() => derInteger(values("040101")[0])).toThrow(CertificateFault);
    expect(() => derInteger(undefined)).toThrow(CertificateFault);
  });
});
