import { beforeAll, describe, expect, it } from "vitest";
import { checkQseal } from "./qseal";
import { checkQwac } from "./qwac";
import { corpus } from "./testing/corpus";
import type { CorpusCertificate, Made } from "./testing/corpus-row";
import { type Issuing, now, startIssuing } from "./testing/issuing";
import { notTrusted, refusal } from "./testing/refusal";
import type { TrustAnchors } from "./trust";

const certificates = Object.values(corpus).flat();
let issuing: Issuing;
let good: Uint8Array;
beforeAll(async () => {
  issuing = await startIssuing();
  good = await issuing.qwac();
});

const derOf = (made: Made) => (made instanceof Uint8Array ? made : made.der);
const anchorsFor = (made: Made) => (made instanceof Uint8Array ? issuing.anchors : made.anchors);

/** What the bank says of it: a QSealC comes with the good QWAC of its TPP. */
function told(as: CorpusCertificate["as"], der: Uint8Array, anchors: TrustAnchors) {
  if (as === "QWAC") return refusal(() => checkQwac(der, anchors, now));
  const qwac = checkQwac(good, issuing.anchors, now);
  return refusal(() => checkQseal(Buffer.from(der).toString("base64"), qwac, anchors, now));
}

describe.each(Object.entries(corpus))("%s", (_theme, rows) => {
  it.each(rows)("$as: $name", async ({ as, make, verdict }) => {
    const made = await make(issuing);
    const fault = told(as, derOf(made), anchorsFor(made));
    const path = as === "QSealC" ? { path: "TPP-Signature-Certificate" } : {};
    expect(fault).toEqual(verdict === "accepted" ? undefined : { ...verdict, ...path });
  });
});

describe("the corpus", () => {
  it("has at least 40 certificates, good and bad, of both kinds, each with a name of its own", () => {
    expect(certificates.length).toBeGreaterThanOrEqual(40);
    expect(new Set(certificates.map(({ name }) => name)).size).toBe(certificates.length);
    const kinds = certificates.map(
      ({ as, verdict }) => `${as} ${verdict === "accepted" ? "accepted" : "refused"}`,
    );
    expect(new Set(kinds).size).toBe(4);
  });
});

describe("C4: whoever believes none of the issuers says the same of every one", () => {
  it.each(certificates)("$as: $name", async ({ as, make }) => {
    const fault = told(as, derOf(await make(issuing)), []);
    expect(fault).toMatchObject(notTrusted);
  });
});
