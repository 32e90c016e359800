import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { keepVisit, newSessionId, type RecordedExchange, readVisit } from "./demo-tpp-visits";
import { examplesOf, signingStringOf } from "./exchange-examples";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "drawbridge-visits-"));
});
afterAll(() => rm(folder, { recursive: true }));

const exchange: RecordedExchange = {
  at: "2026-11-25T10:00:00.000Z",
  milliseconds: 12,
  method: "POST",
  url: "https://localhost:8443/open-banking/v3.1/aisp/v1/consents?a=b",
  headers: {
    date: "Wed, 25 Nov 2026 10:00:00 GMT",
    digest: "SHA-256=x",
    "tpp-redirect-uri": "http://localhost:3000/sandbox/tpp/callback",
    signature: 'keyId="k",algorithm="rsa-sha256",headers="digest date",signature="s"',
  },
  body: `{"name":"it's"}`,
  status: 201,
  replyHeaders: {},
  replyBody: "{}",
};

it("a visit is known by the browser's session alone, and readable to the owner of the folder alone", async () => {
  const sessionId = newSessionId();
  await keepVisit(folder, sessionId, { kind: "accounts", exchanges: [exchange] });
  expect(await readVisit(folder, sessionId)).toEqual({ kind: "accounts", exchanges: [exchange] });
  expect(await readVisit(folder, newSessionId())).toBeUndefined();
  expect(await readVisit(folder, "../../etc/passwd")).toBeUndefined();
  const [file = "none"] = await readdir(join(folder, "visits"));
  expect(file).not.toContain(sessionId);
  expect((await stat(join(folder, "visits", file))).mode & 0o077).toBe(0);
});

it("a visit keeps its newest 60 exchanges, and 200 visits are kept", async () => {
  const many = Array.from({ length: 70 }, (_, at) => ({
    ...exchange,
    milliseconds: at,
    replyBody: "x".repeat(30_000),
  }));
  const sessionIds = Array.from({ length: 205 }, newSessionId);
  for (const [at, sessionId] of sessionIds.entries()) {
    await keepVisit(folder, sessionId, { kind: "funds", exchanges: at === 204 ? many : [] });
  }
  const kept = await readVisit(folder, sessionIds.at(-1));
  expect(kept?.exchanges.map(({ milliseconds }) => milliseconds)).toEqual(
    Array.from({ length: 60 }, (_, at) => at + 10),
  );
  expect(kept?.exchanges.at(-1)?.replyBody).toHaveLength(20_000);
  expect(await readdir(join(folder, "visits"))).toHaveLength(200);
});

it("an exchange is copied as sent for curl, and without its signed headers for languages that sign it themselves", () => {
  const [curl, ...others] = examplesOf(exchange, "/data").map(({ code }) => code);
  expect(curl).toContain(`--data-binary '{"name":"it'\\''s"}'`);
  expect(curl).toContain("--header 'digest: SHA-256=x'");
  for (const code of others) {
    expect(code).toContain("/open-banking/v3.1/aisp/v1/consents?a=b");
    expect(code).toContain("tpp-redirect-uri");
    expect(code).not.toContain("digest");
  }
  expect(signingStringOf(exchange)).toBe("digest: SHA-256=x\ndate: Wed, 25 Nov 2026 10:00:00 GMT");
});
