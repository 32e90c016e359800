import { spawn } from "node:child_process";
import { once } from "node:events";
import net from "node:net";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { readSettings } from "@/lib/config";
import { freePort, startEmbeddedDatabase } from "./embedded-database";
import { checkPorts, readyScreen } from "./launcher";
import { temporaryFolder } from "./testing";
import { startArguments } from "./testing/start-arguments";

describe("npm start", () => {
  const root = fileURLToPath(new URL("../..", import.meta.url));

  const names = ["XS2A_PORT", "WEB_PORT", "STAFF_PORT", "BANK_API_PORT"];
  async function freePorts(): Promise<Readonly<Record<string, string>>> {
    const free = names.map(async (name) => [name, `${await freePort(0)}`] as const);
    return Object.fromEntries(await Promise.all(free));
  }

  async function portInUse(): Promise<number> {
    const squatter = net.createServer().listen(0, "127.0.0.1");
    await once(squatter, "listening");
    onTestFinished(() => void squatter.close());
    return (squatter.address() as net.AddressInfo).port;
  }

  /** Starts the server as `npm start` does, with settings it must refuse, and waits for its end. */
  async function refused(settings: Readonly<Record<string, string>>) {
    const { PATH, NODE_ENV } = process.env;
    const DATA_DIR = await temporaryFolder();
    const env = { NODE_ENV, PATH, DATA_DIR, ...(await freePorts()), ...settings };
    const child = spawn(process.execPath, startArguments(), { cwd: root, env });
    let said = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk: Buffer) => {
        said += chunk.toString();
      });
    }
    const [code] = await once(child, "close");
    // Next writes this when it has begun before the start is refused, and has no setting for it.
    return { code, said: said.replace(/^.*Running next\.config\.ts took.*\n/m, "") };
  }

  describe("npm start ends with one sentence and exit code 1", () => {
    it("when the last of its ports is in use", async () => {
      const port = await portInUse();
      const said = `BANK_API_PORT: port ${port} is in use\n`;
      expect(await refused({ BANK_API_PORT: `${port}` })).toEqual({ code: 1, said });
    });

    // A process each time would say no more.
    it.each(names)("when the port of %s is in use", async (name) => {
      const port = await portInUse();
      const settings = readSettings({ ...(await freePorts()), [name]: `${port}` });
      await expect(checkPorts(settings)).rejects.toThrow(`${name}: port ${port} is in use`);
    });

    it("when a setting is wrong", async () => {
      const said = "CLIENT_CERTIFICATE: must be tls or proxy\n";
      expect(await refused({ CLIENT_CERTIFICATE: "none" })).toEqual({ code: 1, said });
    });

    it("when something is missing outside the sandbox", async () => {
      const { code, said } = await refused({ SANDBOX: "false" });
      expect(code).toBe(1);
      expect(said).toMatch(/^SANDBOX=false demands:\n( {2}[\w ]+, for example .+\n)+$/);
    });

    it("when the database cannot be reached", async () => {
      const url = "postgres://drawbridge:hunter2@127.0.0.1:1/drawbridge";
      const { code, said } = await refused({ DATABASE_URL: url });
      expect(code).toBe(1);
      expect(said).toMatch(/^DATABASE_URL: (?!.*hunter2).*ECONNREFUSED.*\n$/);
    });

    it("when another server has the data folder, which it leaves alone", async () => {
      const dataDir = await temporaryFolder();
      const other = await startEmbeddedDatabase({ dataDir });
      onTestFinished(() => other.stop());
      const { code, said } = await refused({ DATA_DIR: dataDir });
      expect(code).toBe(1);
      const inUse = `DATA_DIR: ${dataDir} is in use by another server (process ${process.pid})`;
      expect(said).toBe(`${inUse}; waiting 5 s for it to end\n${inUse}\n`);
      const { port } = new URL(other.url);
      const socket = net.connect(Number(port), "127.0.0.1");
      await once(socket, "connect");
      socket.destroy();
    });
  });
});

describe("the screen when the server is ready", () => {
  const screen = readyScreen(readSettings({}), "/srv/drawbridge/.data");

  it.each([
    "See it work    http://localhost:3000/sandbox/tpp",
    "https://localhost:8443",
    "http://localhost:3000",
    "http://localhost:3001/staff",
    "ioana-sandbox",
    "radu-sandbox",
    "ana-sandbox",
    "mihai-sandbox",
    "elena-sandbox",
    "dan-sandbox",
    "npm run tpp -- accounts",
    "/srv/drawbridge/.data",
    "Ctrl-C",
  ])("says %s", (text) => {
    expect(screen).toContain(text);
  });

  it("fits on one", () => {
    const lines = screen.split("\n");
    expect(lines.length).toBeLessThanOrEqual(24);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  it("says how a customer of another core bank signs in", () => {
    const connected = { ...readSettings({}), CORE_BANK_URL: "http://localhost:9444" };
    const own = readyScreen(connected, ".data");
    expect(own).toContain("http://localhost:9444");
    expect(own).toContain("npm run bank -- psu add USER-ID --customer ID");
    expect(screen).not.toContain("psu add");
  });

  it("has no demo passwords outside the sandbox", () => {
    const real = { ...readSettings({}), SANDBOX: false };
    expect(readyScreen(real, ".data")).not.toContain("sandbox");
  });
});
