import { BitString, fromBER, Integer, Sequence } from "asn1js";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readCertificate } from "../certificate";
import { naming } from "./testing/issuer";
import { LIST, nothing, OCSP, startStubs } from "./testing/stub-places";

const now = new Date(Math.floor(Date.now() / 1_000) * 1_000);
/** How many points the curve P-256 has. */
const N = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

let stubs: Awaited<ReturnType<typeof startStubs>>;
beforeAll(async () => {
  stubs = await startStubs(now);
});
afterAll(() => stubs.issuer.close());

it("C5: a revoked certificate does not come back with a second signature made of its first", async () => {
  const copy = readCertificate(withSecondSignature(stubs.tpp.x509.raw));
  expect(copy.x509.verify(stubs.issuer.certificate.publicKey)).toBe(true);
  expect(copy.thumbprint).not.toBe(stubs.tpp.thumbprint);
  const bank = stubs.house("soft");
  bank.answers[OCSP] = stubs.revokedOf(stubs.tpp);
  expect(await bank.told(stubs.tpp)).toBe("revoked");
  bank.answers[OCSP] = nothing;
  expect(await bank.told(naming(copy, { ocsp: [OCSP], crl: [LIST] }))).toBe("revoked");
});

/** Where (r, s) is a signature of ECDSA, so is (r, n - s), and nobody needs the key for it. */
function withSecondSignature(der: Uint8Array): Uint8Array {
  const certificate = sequence(new Uint8Array(der));
  const [content, algorithm, bits] = certificate.valueBlock.value;
  if (content === undefined || algorithm === undefined || !(bits instanceof BitString)) {
    throw new Error("no certificate");
  }
  const [r, s] = sequence(bits.valueBlock.valueHexView).valueBlock.value;
  if (r === undefined || !(s instanceof Integer)) throw new Error("no ECDSA signature");
  const second = new Sequence({ value: [r, Integer.fromBigInt(N - s.toBigInt())] });
  const signature = new BitString({ valueHex: second.toBER() });
  return new Uint8Array(new Sequence({ value: [content, algorithm, signature] }).toBER());
}

function sequence(der: Uint8Array): Sequence {
  const { result } = fromBER(new Uint8Array(der), { parseEmbedded: false });
  if (!(result instanceof Sequence)) throw new Error("no sequence");
  return result;
}
