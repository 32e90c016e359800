import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { checkQseal } from "./qseal";
import { checkQwac } from "./qwac";
import { parseTrustAnchors } from "./trust";

/** Certificates made with OpenSSL, beside the project where somebody has them: not our own encoder's. */
const folder = resolve(import.meta.dirname, "../../../shared/standard/signing-example");
const read = (name: string) => readFileSync(join(folder, name), "utf8");
const now = new Date("2026-12-01T09:30:00Z");

describe.skipIf(!existsSync(folder))("the worked example of the signing profile", () => {
  it("has a QWAC and a QSealC that are accepted", () => {
    const anchors = parseTrustAnchors(read("ca.pem"));
    const [encoded] = /(?<=-----\n)[^-]+/.exec(read("qwac.pem")) ?? [""];
    const qwac = checkQwac(Buffer.from(encoded, "base64"), anchors, now);
    expect(qwac.tpp).toEqual({
      id: "PSDRO-NBR-1234567",
      name: "Example TPP SRL",
      roles: ["PSP_PI", "PSP_AI", "PSP_IC"],
      authorityName: "National Bank of Romania",
      authorityId: "RO-NBR",
    });
    expect(qwac.certificate.dnsNames).toEqual(["tpp.example", "*.tpp.example"]);
    const { tppCert } = JSON.parse(read("worked-example.json")) as { readonly tppCert: string };
    expect(checkQseal(tppCert, qwac, anchors, now).serialNumber).toBe(0x5a7b9c01n);
  });
});
