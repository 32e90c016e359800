import { execFileSync } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { now } from "@/lib/domain/testing/samples";
import { loadCertificateAuthority } from "./certificate-authority";
import { orderRates, serveCertificates } from "./serve-certificates";

let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "drawbridge-order-"));
  await loadCertificateAuthority(join(dataDir, "ca"), now);
});
afterAll(() => rm(dataDir, { recursive: true }));

function ordered(fields: string, { SANDBOX = true, headers = {} } = {}): Promise<Response> {
  const config = { SANDBOX, WEB_URL: "http://localhost:3000", DATA_DIR: dataDir };
  const url = `${config.WEB_URL}/sandbox/certificates`;
  const request = new Request(url, { method: "POST", body: fields, headers });
  return serveCertificates({ config, clock: { now: async () => now } }, request);
}

describe("POST /sandbox/certificates", () => {
  it("answers an archive of the files that the programs of the guides read", async () => {
    const answer = await ordered("id=PSDRO-NBR-2718281&name=My+TPP&roles=PSP_AI,PSP_PI");
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/x-tar"]);
    const folder = join(dataDir, "own");
    execFileSync("mkdir", [folder]);
    execFileSync("tar", ["-x", "-C", folder], { input: Buffer.from(await answer.arrayBuffer()) });
    const names = ["ca.pem", "qseal.key", "qseal.pem", "qwac.key", "qwac.pem"];
    expect((await readdir(folder)).toSorted()).toEqual(names);
    expect((await stat(join(folder, "qwac.key"))).mode & 0o777).toBe(0o600);
    const qwac = new X509Certificate(await readFile(join(folder, "qwac.pem")));
    expect(qwac.subject).toContain("PSDRO-NBR-2718281");
    expect(qwac.verify(new X509Certificate(await readFile(join(folder, "ca.pem"))).publicKey)).toBe(
      true,
    );
  });

  it("says in a line of text for each fault what is wrong", async () => {
    const answer = await ordered("id=x&name=My+TPP&roles=PSP_XX");
    expect(answer.status).toBe(400);
    expect(await answer.text()).toBe(
      "id must be of the form PSDRO-NBR-1234567\nroles PSP_XX is no PSD2 role\n",
    );
    expect((await ordered(`id=${"x".repeat(5_000)}`)).status).toBe(400);
  });

  it("X11: is not there outside the sandbox, nor for the page of another origin", async () => {
    const good = "id=PSDRO-NBR-2718281&name=My+TPP&roles=PSP_AI";
    expect((await ordered(good, { SANDBOX: false })).status).toBe(404);
    const headers = { origin: "https://evil.example" };
    expect((await ordered(good, { headers })).status).toBe(404);
  });

  it("makes few at once, and so many in a minute", async () => {
    const good = "id=PSDRO-NBR-2718281&name=My+TPP&roles=PSP_AI";
    const asked = Array.from({ length: orderRates.atOnce + 2 }, () => ordered(good));
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([...Array(orderRates.atOnce).fill(200), 429, 429]);
    // Without a CA nothing is made, which counts as well.
    await rm(join(dataDir, "ca"), { recursive: true });
    for (let made = orderRates.atOnce; made < orderRates.perMinute; made += 1) {
      await ordered(good).catch(() => undefined);
    }
    const refused = await ordered(good);
    expect([refused.status, await refused.text()]).toEqual([
      429,
      "the order is one too many at the moment: try again in a minute\n",
    ]);
  });
});
