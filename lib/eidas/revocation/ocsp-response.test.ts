import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Enumerated, Null, Sequence } from "asn1js";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { after } from "@/lib/domain/clock";
import { authorityParts } from "@/lib/sandbox/certificate-authority";
import type { Signer } from "@/lib/sandbox/certificate-status/signing";
import { distinguishedName, issueCertificate } from "@/lib/sandbox/issue-certificate";
import { readCertificate } from "../certificate";
import { certificateLimits } from "../limits";
import { readOcspResponse } from "./ocsp-response";
import type { Issued } from "./status";
import { startIssuer, type TestIssuer } from "./testing/issuer";
import {
  type Answer,
  extensions,
  ocspAnswer,
  ocspFailure,
  revokedStatus,
  tagged,
} from "./testing/ocsp-answer";
import { hasOpenssl, openssl, startResponder } from "./testing/openssl";

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

const at = (seconds: number) => after(now, seconds, "second");
const read = (der: Uint8Array, when = now) => readOcspResponse(der, own, when);
const answer = (changes: Partial<Answer> = {}, ...more: readonly Answer[]) =>
  ocspAnswer(signer, { answers: [{ issued: own, ...changes }, ...more], now });

describe("an OCSP response", () => {
  it("that says good is left at that for ten minutes at most, or until it ends", () => {
    expect(read(answer())).toEqual({ status: "good", until: at(600) });
    const short = answer({ nextUpdate: at(240) });
    expect(read(short)).toEqual({ status: "good", until: at(240) });
  });

  it("that ends at once is left at for half a minute", () => {
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

  it("C5: tells of this certificate among others", () => {
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
  ])("that failed with %d is told of as %s", (status, words) => {
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

  it("that brings more certificates than anybody needs is not used", () => {
    const { responderCertificatesMax: most } = certificateLimits;
    const bringing = (count: number) => {
      const certificates = Array.from({ length: count }, () => new Sequence());
      return ocspAnswer(signer, { answers: [{ issued: own }], now, certificates });
    };
    expect(read(bringing(most)).status).toBe("good");
    expect(() => read(bringing(most + 1))).toThrow("too many certificates");
  });

  it("that is none is unreadable", () => {
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
