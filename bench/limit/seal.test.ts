import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { makeCertificates } from "@/tpp/certificates";
import { type Headers, type Seal, seal, signed } from "@/tpp/signing";
import { isSealed } from "./seal";

const body = Buffer.from('{"amount":"12.50"}');
let sealing: Seal;
let headers: Headers;

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), "drawbridge-seal-"));
  const organisation = { id: "PSDRO-NBR-7654321", name: "Example", roles: ["PSP_PI"] } as const;
  const { qseal } = await makeCertificates(folder, organisation);
  await rm(folder, { recursive: true });
  sealing = seal(qseal.pem, qseal.key);
  headers = signed(sealing, body, { "tpp-redirect-uri": "https://tpp.example/back" });
});

it("a request as it was signed is sealed, with and without a body", () => {
  expect(isSealed(headers, body)).toBe(true);
  expect(isSealed(signed(sealing, Buffer.alloc(0), {}), Buffer.alloc(0))).toBe(true);
});

it("a request with another body is not", () => {
  expect(isSealed(headers, Buffer.from('{"amount":"99.50"}'))).toBe(false);
});

it.each(["x-request-id", "date", "tpp-redirect-uri"])(
  "a request with another %s is not",
  (name) => {
    expect(isSealed({ ...headers, [name]: "another" }, body)).toBe(false);
  },
);

it.each(["signature", "digest", "tpp-signature-certificate"])(
  "a request without %s is not",
  (name) => {
    const { [name]: _, ...rest } = headers;
    expect(isSealed(rest, body)).toBe(false);
  },
);
