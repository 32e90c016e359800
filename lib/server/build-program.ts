import path from "node:path";
import { fileURLToPath } from "node:url";
import { bankProfile } from "@/lib/profile/in-force";
import { buildWhenNeeded } from "./build";
import { lockDataDir } from "./data-folder";
import { loadSettings, portsOf } from "./hosts";
import { checkPort } from "./listeners";
import { runUntilStopped } from "./processes";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Builds for the program that is named. What is wrong with a setting should not take half a minute to say. */
await runUntilStopped(async ({ signal }) => {
  const settings = loadSettings();
  bankProfile();
  const { tpp, browser, staff, bankApi } = portsOf(settings);
  if (process.argv[2] !== "web") await checkPort(tpp);
  if (process.argv[2] !== "web" && bankApi !== undefined) await checkPort(bankApi);
  if (process.argv[2] !== "tpp") await checkPort(browser);
  if (process.argv[2] !== "tpp" && staff !== undefined) await checkPort(staff);
  // Loaded late: the demo bank takes its name from the profile when it is loaded.
  if (settings.DATABASE_URL !== undefined) await (await import("./prepare")).prepare(settings);
  else await (await lockDataDir(path.resolve(settings.DATA_DIR)))();
  await buildWhenNeeded(root, signal);
});
