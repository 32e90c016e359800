import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Enumerated, Null, Sequence } from "asn1js";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { addTime } from "@/lib/domain/values";
import { authorityParts, makeCertificateAuthority } from "@/lib/sandbox/certificate-authority";
import type { Signer } from "@/lib/sandbox/certificate-status";
import { distinguishedName, Extension, issueCertificate } from "@/lib/sandbox/x509";
import { type Certificate, readCertificate } from "./certificate";
import { certificateLimits } from "./certificate-fault";
import { readOcspResponse } from "./ocsp";
import type { Issued } from "./status-answer";
import {
  type Answer,
  asking,
  type Entry,
  extensions,
  hasOpenssl,
  ocspAnswer,
  ocspFailure,
  openssl,
  responderExtensions,
  revokedStatus,
  startIssuer,
  startResponder,
  type TestIssuer,
  tagged,
} from "./testing/revocation";

describe("an OCSP response", () => {
  const now = new Date(Math.floor(Date.now() / 1_000) * 1_000);
  let issuer: TestIssuer;
  let signer: Signer;
  let own: Issued;
  let other: Issued;
  beforeAll(async () => {
    issuer = await startIssuer(now);
    const issued = async () => ({ certificate: await issuer.tpp(), issuer: issuer.certificate });
    [own, other] = [await issued(), await issued()];
    signer = issuer.signer;
  });
  afterAll(() => issuer.close());

  const at = (seconds: number) => addTime(now, seconds, "second");
  const read = (der: Uint8Array, when = now) => readOcspResponse(der, own, when);
  const answer = (changes: Partial<Answer> = {}, ...more: readonly Answer[]) =>
    ocspAnswer(signer, { answers: [{ issued: own, ...changes }, ...more], now });

  it("that says good is cached for ten minutes at most, or until it expires", () => {
    expect(read(answer())).toEqual({ status: "good", until: at(600) });
    const short = answer({ nextUpdate: at(240) });
    expect(read(short)).toEqual({ status: "good", until: at(240) });
  });

  it("that expires at once is cached for half a minute", () => {
    const over = answer({ nextUpdate: now });
    expect(read(over).until).toEqual(at(30));
  });

  it("C5: is over five minutes after its end, and not before it was made, to the second", () => {
    const ended = answer({ nextUpdate: at(-299) });
    expect(read(ended).status).toBe("good");
    expect(() => read(ended, at(1))).toThrow("out of date");
    expect(read(answer(), at(-300)).status).toBe("good");
    expect(() => read(answer(), at(-301))).toThrow("made in the future");
  });

  it("C5: may list this certificate among others", () => {
    const among = answer({ status: revokedStatus(now) }, { issued: other });
    expect(read(among).status).toBe("revoked");
  });

  it("C5: about another certificate is not used", () => {
    expect(() => read(ocspAnswer(signer, { answers: [{ issued: other }], now }))).toThrow(
      "does not answer once for this certificate",
    );
    expect(() => read(ocspAnswer(signer, { answers: [], now }))).toThrow("does not answer once");
  });

  it("C5: about the same number of another issuer is not used", async () => {
    const elsewhere = await startIssuer(now);
    onTestFinished(elsewhere.close);
    const same = { certificate: own.certificate, issuer: elsewhere.certificate };
    const theirs = ocspAnswer(signer, { answers: [{ issued: same }], now });
    expect(() => read(theirs)).toThrow("does not answer once for this certificate");
  });

  it("C5: about the same number of another name with the same key is not used", async () => {
    const name = distinguishedName(["CN", "Other CA"]);
    const { keys } = issuer.authority;
    const made = await issueCertificate({ name, keys }, authorityParts(name, keys, now));
    const renamed = readCertificate(new Uint8Array(made.rawData));
    const same = { certificate: own.certificate, issuer: renamed };
    const theirs = ocspAnswer(signer, { answers: [{ issued: same }], now });
    expect(() => read(theirs)).toThrow("does not answer once for this certificate");
  });

  it("C5: that answers twice for the certificate is not used", () => {
    expect(() => read(answer({}, { issued: own, status: revokedStatus(now) }))).toThrow(
      "does not answer once for this certificate",
    );
  });

  it.each([
    [1, "malformedRequest"],
    [2, "internalError"],
    [3, "tryLater"],
    [5, "sigRequired"],
    [6, "unauthorized"],
    [7, "nothing known"],
  ])("that failed with %d is logged as %s", (status, words) => {
    expect(() => read(ocspFailure(status))).toThrow(`the responder says ${words}`);
  });

  it("of another type is not used", () => {
    const strange = ocspAnswer(signer, { answers: [{ issued: own }], now, type: "1.2.3" });
    expect(() => read(strange)).toThrow("unknown type");
  });

  it.each([true, false])("with an extension not understood, critical: %s", (critical) => {
    const odd = extensions("1.2.3.4", critical);
    const ofAll = ocspAnswer(signer, { answers: [{ issued: own }], now, extensions: odd });
    for (const der of [ofAll, answer({ extensions: odd })]) {
      if (critical) expect(() => read(der)).toThrow("critical extension 1.2.3.4");
      else expect(read(der).status).toBe("good");
    }
  });

  it("with a status or a time of another form is not used", () => {
    const strange = [
      answer({ status: tagged(3, []) }),
      answer({ status: new Null() }),
      answer({ thisUpdate: new Enumerated({ value: 0 }) }),
    ];
    for (const der of strange) expect(() => read(der)).toThrow("unreadable");
  });

  it("with too many certificates is not used", () => {
    const { responderCertificatesMax: most } = certificateLimits;
    const bringing = (count: number) => {
      const certificates = Array.from({ length: count }, () => new Sequence());
      return ocspAnswer(signer, { answers: [{ issued: own }], now, certificates });
    };
    expect(read(bringing(most)).status).toBe("good");
    expect(() => read(bringing(most + 1))).toThrow("too many certificates");
  });

  it("that is malformed is unreadable", () => {
    const none = [Uint8Array.of(), Buffer.from("<html>"), answer().subarray(1)];
    for (const der of none) expect(() => read(der)).toThrow("unreadable");
    expect(() => read(Buffer.concat([answer(), Uint8Array.of(0)]))).toThrow("unreadable");
  });

  it.runIf(hasOpenssl)("may name the certificate by SHA-256", async () => {
    const responder = await startResponder(issuer, [{ certificate: own.certificate }]);
    onTestFinished(responder.stop);
    const file = join(issuer.folder, "answer.der");
    const serial = `0x${own.certificate.serialNumber.toString(16)}`;
    const about = ["-sha256", "-issuer", issuer.own.certificate, "-serial", serial];
    openssl("ocsp", ...about, "-url", responder.url, "-noverify", "-respout", file);
    expect(readOcspResponse(await readFile(file), own, new Date()).status).toBe("good");
  });
});

describe("ocsp responder", () => {
  const now = new Date();
  let issuer: TestIssuer;
  let tpp: Certificate;
  let other: Certificate;
  beforeAll(async () => {
    issuer = await startIssuer(now);
    [tpp, other] = [await issuer.tpp(), await issuer.tpp()];
  });
  afterAll(() => issuer.close());

  const minutes = (amount: number) => addTime(now, amount, "minute");
  type Options = Parameters<typeof startResponder>[2];

  /** The verdict on a certificate this responder is asked about, and why its answer was not trusted. */
  async function asked(entries: readonly Entry[], options?: Options, at = now) {
    const responder = await startResponder(issuer, entries, options);
    onTestFinished(responder.stop);
    const { revocation, faults, naming } = asking("hard", { ocsp: [responder.url] });
    const issued = { certificate: naming(tpp), issuer: issuer.certificate };
    const answer = await revocation.check(issued, { hard: false, now: at });
    return { answer, reasons: faults.map(({ reason }) => reason) };
  }

  const good = () => [{ certificate: tpp }, { certificate: other, revoked: "261101000000Z" }];

  describe.runIf(hasOpenssl)("OpenSSL's responder, asked about a certificate", () => {
    it("C5: good", async () => {
      expect(await asked(good())).toEqual({ answer: "good", reasons: [] });
    });

    it.each([
      "unspecified",
      "keyCompromise",
      "superseded",
      "cessationOfOperation",
      "certificateHold",
    ])("C5: revoked, for the reason %s", async (reason) => {
      const entry = { certificate: tpp, revoked: `261101000000Z,${reason}` };
      expect(await asked([entry])).toEqual({ answer: "revoked", reasons: [] });
    });

    it("C5: unknown", async () => {
      expect(await asked([{ certificate: other }])).toEqual({
        answer: "unknown",
        reasons: ["the responder does not know the certificate"],
      });
    });

    it("C5: stale, from nextUpdate plus the clock skew on", async () => {
      const stale = { answer: "unknown", reasons: ["out of date"] };
      const short = { options: ["-nmin", "1"] };
      expect((await asked(good(), short, minutes(5))).answer).toBe("good");
      expect(await asked(good(), short, minutes(20))).toEqual(stale);
    });

    it("C5: stale, without nextUpdate, some minutes after thisUpdate", async () => {
      const endless = { options: [] };
      expect((await asked(good(), endless, minutes(2))).answer).toBe("good");
      expect(await asked(good(), endless, minutes(20))).toEqual({
        answer: "unknown",
        reasons: ["out of date"],
      });
    });

    it("C5: made in the future", async () => {
      expect(await asked(good(), {}, minutes(-6))).toEqual({
        answer: "unknown",
        reasons: ["made in the future"],
      });
    });

    it("C5: with an invalid signature", async () => {
      const { answer, reasons } = await asked(good(), { options: ["-nmin", "60", "-badsig"] });
      expect({ answer, reasons }).toEqual({
        answer: "unknown",
        reasons: ["not signed by whom it has to be"],
      });
    });

    it("C5: signed with SHA-1", async () => {
      const { answer, reasons } = await asked(good(), { options: ["-nmin", "60", "-rmd", "sha1"] });
      expect(answer).toBe("unknown");
      expect(reasons).toEqual(["signed by an algorithm that is not trusted"]);
    });
  });

  describe.runIf(hasOpenssl)("a delegated responder", () => {
    it("is trusted like the issuer", async () => {
      const signer = await issuer.responder("named");
      expect(await asked(good(), { signer })).toEqual({ answer: "good", reasons: [] });
      expect(
        (await asked([{ certificate: tpp, revoked: "261101000000Z" }], { signer })).answer,
      ).toBe("revoked");
    });

    it("is trusted whatever other certificates it sends", async () => {
      const signer = await issuer.responder("among others");
      const options = ["-nmin", "60", "-rother", issuer.own.certificate];
      expect((await asked(good(), { signer, options })).answer).toBe("good");
    });

    it("has to send its certificate", async () => {
      const signer = await issuer.responder("silent");
      expect((await asked(good(), { signer, options: ["-resp_no_certs"] })).answer).toBe("unknown");
    });
  });

  const { extendedKeyUsage, keyUsage, noCheck } = responderExtensions;
  const critical = new Extension("1.2.3.4", true, Uint8Array.of(5, 0));

  describe.runIf(hasOpenssl)("C5: wrong signer: a responder", () => {
    it.each([
      ["that may not answer", { extensions: { keyUsage, noCheck } }],
      ["that may not sign", { extensions: { extendedKeyUsage, noCheck, ...encipherOnly() } }],
      ["whose own status would have to be asked", { extensions: { extendedKeyUsage, keyUsage } }],
      ["that has expired", { notBefore: minutes(-2_880), notAfter: minutes(-1_440) }],
      ["of tomorrow", { notBefore: minutes(1_440) }],
      [
        "with a critical extension that is not understood",
        { extensions: { ...responderExtensions, critical } },
      ],
      ["whose certificate is signed with SHA-1", { hash: "SHA-1" }],
    ] as const)("%s is not trusted", async (name, changes) => {
      const signer = await issuer.responder(name.replaceAll(" ", "-"), changes);
      expect(await asked(good(), { signer })).toEqual({
        answer: "unknown",
        reasons: ["not signed by whom it has to be"],
      });
    });

    it("of another CA, whatever issuer it claims, is not trusted", async () => {
      const { authority } = issuer;
      const otherCa = await makeCertificateAuthority(now);
      const impostors = {
        "of the same name": otherCa,
        "of the same name and with its key's identifier": {
          name: authority.name,
          keys: { privateKey: otherCa.keys.privateKey, publicKey: authority.keys.publicKey },
        },
        "of another name": { ...otherCa, name: distinguishedName(["CN", "Other CA"]) },
        "of another name and the same key": {
          name: distinguishedName(["CN", "Other CA"]),
          keys: authority.keys,
        },
      };
      for (const [name, from] of Object.entries(impostors)) {
        const signer = await issuer.responder(name.replaceAll(" ", "-"), { issuer: from });
        expect((await asked(good(), { signer })).answer, name).toBe("unknown");
      }
    });
  });

  /** keyEncipherment alone. */
  function encipherOnly() {
    return { encipher: new Extension("2.5.29.15", true, Uint8Array.of(3, 2, 5, 0x20)) };
  }
});
