import { createPublicKey, generateKeyPairSync, verify, X509Certificate } from "node:crypto";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import fc from "fast-check";
import httpSignature from "http-signature";
import { describe, expect, it } from "vitest";
import { http, text } from "./http";
import { digest, keyId, type Seal, seal, signature, signed, signingString } from "./signing";
import { sealForTests } from "./testing/seal";

const EXAMPLE = join(import.meta.dirname, "../../../../shared/standard/signing-example");

describe("signing string", () => {
  it("is `name: value` for each name in order, values trimmed, lines joined by one LF", () => {
    const headers = { date: " Tue, 01 Dec 2026 09:30:00 GMT ", digest: "SHA-256=x" };
    expect(signingString(["digest", "date"], headers)).toBe(
      "digest: SHA-256=x\ndate: Tue, 01 Dec 2026 09:30:00 GMT",
    );
  });

  it("refuses a listed header that the request does not have", () => {
    expect(() => signingString(["psu-id"], {})).toThrow("psu-id");
  });
});

describe("a signed request", () => {
  it.each([["rsa"], ["ec"]] as const)("verifies with the key of an %s seal", (kind) => {
    const using = sealForTests(kind);
    const headers = signed(using, Buffer.from("{}"), { "psu-id": "ana" });
    const { names, value } = partsOf(headers["signature"]);
    const text = Buffer.from(signingString(names, headers));
    expect(verify("sha256", text, using.certificate.publicKey, value)).toBe(true);
  });

  it("covers the bytes that go over the wire, where a value is not ASCII", async () => {
    const using = sealForTests("rsa");
    const server = createServer(
      (request, answer) => void answer.end(JSON.stringify(request.headers)),
    );
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/`;
    const headers = signed(using, new Uint8Array(), { "psu-id": "andré" });
    const { body } = await http({}).send({ method: "GET", url, headers });
    server.close();
    const { names, value } = partsOf(headers["signature"]);
    // Node reads the bytes of a header as Latin-1.
    const wire = Buffer.from(signingString(names, JSON.parse(text(body))), "latin1");
    expect(verify("sha256", wire, using.certificate.publicKey, value)).toBe(true);
  });

  it("that cannot be sent is a mistake of the caller, and no missing answer", async () => {
    const headers = signed(sealForTests("rsa"), new Uint8Array(), { "psu-id": "ștefan" });
    const sending = http({}).send({ method: "GET", url: "https://bank.example/", headers });
    await expect(sending).rejects.toThrow('Invalid character in header content ["psu-id"]');
  });

  it("is what http-signature verifies, whatever the values are", () => {
    const using = sealForTests("rsa");
    const publicKey = using.certificate.publicKey.export({ type: "spki", format: "pem" });
    const where = { clockSkew: 300, authorizationHeaderName: "signature" };
    const value = fc.stringMatching(/^[!-~]([ -~]{0,30}[!-~])?$/);
    fc.assert(
      fc.property(value, value, (psuId, redirectUri) => {
        const headers = signed(using, Buffer.from(psuId), {
          "psu-id": psuId,
          "tpp-redirect-uri": redirectUri,
        });
        const request = { method: "GET", url: "/", httpVersion: "1.1", headers };
        // Its types ask for a whole IncomingMessage; it reads these four members.
        const parsed = httpSignature.parseRequest(request as never, where);
        return httpSignature.verifySignature(parsed, publicKey.toString());
      }),
      { numRuns: 30 },
    );
  });

  it("is not made with a key that is not the certificate's", () => {
    const { certificate } = sealForTests("rsa");
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const key = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
    expect(() => seal(certificate.toString(), key)).toThrow("not the seal certificate's");
  });
});

// Elsewhere the standard's files are not at hand.
if (existsSync(EXAMPLE))
  describe("the standard's worked example", () => {
    const read = (name: string) => readFileSync(join(EXAMPLE, name));
    const example = () => JSON.parse(read("worked-example.json").toString());

    it("has our digest, our keyId and our signing string", () => {
      const { headers, signature: sent, signingString: text } = example();
      expect(digest(read("body.json"))).toBe(headers.digest);
      expect(keyId(new X509Certificate(read("qseal.pem")))).toBe(/keyId="([^"]+)"/.exec(sent)?.[1]);
      expect(signingString(partsOf(sent).names, headers)).toBe(text);
    });

    it("verifies over our signing string", () => {
      const { headers, signature: sent } = example();
      const { names, value } = partsOf(sent);
      const key = createPublicKey(read("qseal.pem"));
      expect(verify("sha256", Buffer.from(signingString(names, headers)), key, value)).toBe(true);
    });

    it("has the form of our Signature header", () => {
      const { headers, signature: sent } = example();
      const using: Seal = {
        certificate: new X509Certificate(read("qseal.pem")),
        key: sealForTests("rsa").key,
      };
      const ours = signature(using, partsOf(sent).names, headers);
      const withoutValue = (text: string) => text.replace(/signature="[^"]+"/, "");
      expect(withoutValue(ours)).toBe(withoutValue(sent));
    });
  });

function partsOf(header: string | undefined): { names: string[]; value: Buffer } {
  const [, names, value] = /headers="([^"]+)",signature="([^"]+)"$/.exec(String(header)) ?? [];
  return { names: String(names).split(" "), value: Buffer.from(String(value), "base64") };
}
