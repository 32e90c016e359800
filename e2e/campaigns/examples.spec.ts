import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { writeCertificates } from "@/cli/tpp/certificates";
import { authoriseAsPsu, fetchAlone } from "@/tools/psu-by-forms";
import { steadyPort } from "../harness/steady-port";
import { expect, test } from "../harness/test";

const EXAMPLES = join(import.meta.dirname, "../../examples/tpp");
const run = promisify(execFile);

/** How each program is started, with what its first lines ask for. */
const programs = {
  Java: async () => ["java", join(EXAMPLES, "java/Tpp.java")],
  Python: async (folder: string) => {
    const python = join(folder, "venv/bin/python");
    const needed = join(EXAMPLES, "python/requirements.txt");
    await run("python3", ["-m", "venv", join(folder, "venv")]);
    await run(python, ["-m", "pip", "install", "--quiet", "--no-deps", "-r", needed]);
    return [python, join(EXAMPLES, "python/tpp.py")];
  },
};

let folder: string;
test.beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "drawbridge-example-"));
});
test.afterEach(() => rm(folder, { recursive: true, force: true }));

for (const [language, prepared] of Object.entries(programs)) {
  test(`the example in ${language} reads a PSU's accounts and pays`, async ({ bank, newTpp }) => {
    const [file = "", ...args] = await prepared(folder);
    const certificates = join(folder, "certificates");
    await writeCertificates(certificates, (await newTpp()).certificates);
    const port = await steadyPort();

    /** What it prints until its end; the PSU agrees at the address that it prints. */
    async function said(command: string): Promise<string> {
      const child = spawn(file, [...args, certificates, command], {
        env: { ...process.env, XS2A_URL: bank.xs2aUrl, PORT: String(port) },
      });
      try {
        let [out, visited] = ["", false];
        child.stderr.on("data", (chunk: Buffer) => {
          out += chunk.toString();
        });
        child.stdout.on("data", (chunk: Buffer) => {
          out += chunk.toString();
        });
        const ended = once(child, "close");
        const address = /http\S+\/auth\?\S+(?=\n)/;
        await expect
          .poll(() => address.test(out) || child.exitCode !== null, { timeout: 120_000 })
          .toBe(true);
        const [authorisation] = address.exec(out) ?? [];
        expect(authorisation, out).toBeDefined();
        const redirectUri = `http://localhost:${port}/callback`;
        const back = await authoriseAsPsu(new URL(`${authorisation}`), redirectUri, bank.webUrl);
        visited = (await fetchAlone(back)).ok;
        const [code] = await ended;
        expect({ code, visited }, out).toEqual({ code: 0, visited: true });
        return out;
      } finally {
        child.kill();
      }
    }

    const read = await said("accounts");
    expect(read).toMatch(/consents\/\S+\/status: 200\nreceived\n/);
    expect(read).toMatch(/RO06DRWB0001000000000101 RON\n {2}closingBooked: -?\d+\.\d{2}\n/);
    expect(read).toMatch(/ {2}\d{4}-\d{2}-\d{2}: -?\d+\.\d{2}\n/);
    expect(await said("pay")).toMatch(/\nACSC\n$/);
  });
}
