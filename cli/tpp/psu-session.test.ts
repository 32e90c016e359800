import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { nextKeys } from "@/lib/sandbox/testing";
import { makeCertificates, writeCertificates } from "./certificates";
import { run as explain } from "./commands/explain";
import { withPsu } from "./psu-session";

/** The clock of the sandbox is so far ahead. */
const AHEAD = 86_400_000;

describe("while the clock of the sandbox is moved", () => {
  let dataDir: string;
  let dates: number[];
  const server = createServer(({ url, headers }, response) => {
    if (url !== "/sandbox/clock") dates.push(Date.parse(String(headers["date"])));
    response.end(JSON.stringify({ offsetSeconds: AHEAD / 1_000 }));
  });

  beforeEach(async () => {
    dates = [];
    await once(server.listen(0, "127.0.0.1"), "listening");
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    dataDir = await mkdtemp(join(tmpdir(), "drawbridge-moved-"));
    for (const [name, value] of Object.entries({
      WEB_URL: origin,
      XS2A_URL: origin,
      DATA_DIR: dataDir,
    }))
      vi.stubEnv(name, value);
    const organisation = { id: "PSDRO-NBR-1", name: "Tpp", roles: ["PSP_AI"] } as const;
    const made = await makeCertificates(dataDir, organisation, { makeKeys: nextKeys });
    await writeCertificates(join(dataDir, "tpp"), made);
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
    server.close();
    await rm(dataDir, { recursive: true });
  });

  const daysAhead = (instant: number) => Math.abs(Math.round((instant - Date.now()) / AHEAD));

  it("calls are signed with its time, and with this machine's at a bank that --xs2a names", async () => {
    const call = (more: { readonly xs2a?: string }) =>
      withPsu({ certificates: join(dataDir, "tpp"), ...more }, ({ bank }) =>
        bank.consentStatus("1"),
      );
    await call({});
    await call({ xs2a: String(process.env["XS2A_URL"]) });
    expect(dates.map(daysAhead)).toEqual([1, 0]);
  });

  it("a request is judged by it", async () => {
    const file = join(dataDir, "request.http");
    const date = new Date(Date.now() + AHEAD).toUTCString();
    await writeFile(file, `GET /open-banking/v3.1/aisp/v1/accounts HTTP/1.1\ndate: ${date}\n\n`);
    const said = vi.spyOn(console, "log").mockImplementation(() => undefined);
    expect(await explain([file])).toBe(1);
    expect(said.mock.calls.join("\n")).toContain("Date: passed");
  });
});
