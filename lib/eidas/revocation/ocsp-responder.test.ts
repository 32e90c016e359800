import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { after } from "@/lib/domain/clock";
import { makeCertificateAuthority } from "@/lib/sandbox/certificate-authority";
import { distinguishedName } from "@/lib/sandbox/issue-certificate";
import { Extension } from "@/lib/sandbox/x509";
import type { Certificate } from "../certificate";
import { asking } from "./testing/asking";
import { responderExtensions, startIssuer, type TestIssuer } from "./testing/issuer";
import { type Entry, hasOpenssl, startResponder } from "./testing/openssl";

const now = new Date();
let issuer: TestIssuer;
let tpp: Certificate;
let other: Certificate;
beforeAll(async () => {
  issuer = await startIssuer(now);
  [tpp, other] = [await issuer.tpp(), await issuer.tpp()];
});
afterAll(() => issuer.close());

const minutes = (amount: number) => after(now, amount, "minute");
type Options = Parameters<typeof startResponder>[2];

/** What a TPP is told whose certificate this responder is asked about, and why it was not believed. */
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
    expect(await asked(good())).toEqual({ answer: "counts", reasons: [] });
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
      answer: "untold",
      reasons: ["the responder does not know the certificate"],
    });
  });

  it("C5: stale, from the end of its answer on and some minutes for clocks that differ", async () => {
    const stale = { answer: "untold", reasons: ["out of date"] };
    const short = { options: ["-nmin", "1"] };
    expect((await asked(good(), short, minutes(5))).answer).toBe("counts");
    expect(await asked(good(), short, minutes(20))).toEqual(stale);
  });

  it("C5: stale, of an answer without an end, some minutes after it was made", async () => {
    const endless = { options: [] };
    expect((await asked(good(), endless, minutes(2))).answer).toBe("counts");
    expect(await asked(good(), endless, minutes(20))).toEqual({
      answer: "untold",
      reasons: ["out of date"],
    });
  });

  it("C5: made in the future", async () => {
    expect(await asked(good(), {}, minutes(-6))).toEqual({
      answer: "untold",
      reasons: ["made in the future"],
    });
  });

  it("C5: with a signature that is spoilt", async () => {
    const { answer, reasons } = await asked(good(), { options: ["-nmin", "60", "-badsig"] });
    expect({ answer, reasons }).toEqual({
      answer: "untold",
      reasons: ["not signed by whom it has to be"],
    });
  });

  it("C5: signed with SHA-1", async () => {
    const { answer, reasons } = await asked(good(), { options: ["-nmin", "60", "-rmd", "sha1"] });
    expect(answer).toBe("untold");
    expect(reasons).toEqual(["signed by an algorithm that is not believed"]);
  });
});

describe.runIf(hasOpenssl)("a responder that the issuer has named", () => {
  it("counts as the issuer", async () => {
    const signer = await issuer.responder("named");
    expect(await asked(good(), { signer })).toEqual({ answer: "counts", reasons: [] });
    expect((await asked([{ certificate: tpp, revoked: "261101000000Z" }], { signer })).answer).toBe(
      "revoked",
    );
  });

  it("counts whatever other certificates it brings", async () => {
    const signer = await issuer.responder("among others");
    const options = ["-nmin", "60", "-rother", issuer.own.certificate];
    expect((await asked(good(), { signer, options })).answer).toBe("counts");
  });

  it("has to bring its certificate", async () => {
    const signer = await issuer.responder("silent");
    expect((await asked(good(), { signer, options: ["-resp_no_certs"] })).answer).toBe("untold");
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
  ] as const)("%s is not believed", async (name, changes) => {
    const signer = await issuer.responder(name.replaceAll(" ", "-"), changes);
    expect(await asked(good(), { signer })).toEqual({
      answer: "untold",
      reasons: ["not signed by whom it has to be"],
    });
  });

  it("of another CA, whatever it claims of its issuer, is not believed", async () => {
    const { authority } = issuer;
    const stranger = await makeCertificateAuthority(now);
    const impostors = {
      "of the same name": stranger,
      "of the same name and with its key's identifier": {
        name: authority.name,
        keys: { privateKey: stranger.keys.privateKey, publicKey: authority.keys.publicKey },
      },
      "of another name": { ...stranger, name: distinguishedName(["CN", "Other CA"]) },
      "of another name and the same key": {
        name: distinguishedName(["CN", "Other CA"]),
        keys: authority.keys,
      },
    };
    for (const [name, from] of Object.entries(impostors)) {
      const signer = await issuer.responder(name.replaceAll(" ", "-"), { issuer: from });
      expect((await asked(good(), { signer })).answer, name).toBe("untold");
    }
  });
});

/** keyEncipherment alone. */
function encipherOnly() {
  return { encipher: new Extension("2.5.29.15", true, Uint8Array.of(3, 2, 5, 0x20)) };
}
