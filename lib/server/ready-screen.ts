import type { Settings } from "@/lib/config";

const demoPsus = ["ana", "mihai", "elena", "dan", "vlad"];

/** One screenful for the one who started the server. `dataDir` is where everything is kept. */
export function readyScreen(settings: Settings, dataDir: string): string {
  const urls = [`  TPPs call      ${settings.XS2A_URL}`, `  PSUs open      ${settings.WEB_URL}`];
  if (!settings.SANDBOX) return ["Drawbridge is ready.", "", ...urls].join("\n");
  const database = settings.DATABASE_URL === undefined ? "PostgreSQL, " : "";
  return [
    "",
    "Drawbridge is ready, as a sandbox.",
    "",
    ...urls,
    `  PSU's phone    ${settings.WEB_URL}/sandbox/phone?psu=ana`,
    "",
    "  Demo PSUs      User ID   Password",
    ...demoPsus.map((psu) => `                 ${psu.padEnd(9)} ${psu}-sandbox`),
    "",
    `  Data           ${dataDir} (${database}CA and secrets)`,
    "",
    "  Next, in another terminal:   npm run tpp -- accounts",
    "  Ctrl-C stops everything; the next start takes the data up again.",
    "",
  ].join("\n");
}
