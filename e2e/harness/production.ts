import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startProgram } from "./core-bank";
import { controlsOf } from "./identity-provider";
import type { ServerSettings } from "./server";
import { steadyPort } from "./steady-port";

export type Production = Awaited<ReturnType<typeof startProduction>>;

/** As `npm run production-demo` does it: SANDBOX=false, with a core bank and an identity provider of its own. */
export async function startProduction(dataDir: string, sca: string, ...more: readonly string[]) {
  const ports: number[] = [];
  const profile = join(dataDir, "bank.yaml");
  const demo = join(import.meta.dirname, "../../examples/profiles/drawbridge-bank/bank.yaml");
  const text = await readFile(demo, "utf8");
  await mkdir(dataDir, { recursive: true });
  // Tests ask one customer's app more often than anybody is asked in an hour.
  await writeFile(profile, text.replace("\nsca:\n", "\nsca:\n  textsPerHourMax: 100\n"));
  while (ports.length < 8) ports.push(await steadyPort());
  const [xs2aPort = 0, pages = 0, webPort = 0, , login = 0, staff = 0, staffPort = 0] = ports;
  const program = [
    "cli/production-demo/cli.ts",
    "--data",
    dataDir,
    "--sca",
    sca,
    "--profile",
    profile,
    ...more,
  ];
  const stop = await startProgram(
    [...program, "--ports", ports.join(",")],
    "Drawbridge runs as in production",
  );
  const issuer = `https://localhost:${login}`;
  const controls = await controlsOf(join(dataDir, "login"), issuer);
  const bank: ServerSettings = {
    dataDir,
    xs2aPort,
    webPort,
    staffPort,
    xs2aUrl: `https://localhost:${xs2aPort}`,
    webUrl: `https://localhost:${pages}`,
    staffUrl: `https://localhost:${staff}`,
  };
  return {
    bank,
    issuer,
    setFault: controls.setFault,
    stop: async () => {
      await controls.close();
      await stop();
    },
  };
}
