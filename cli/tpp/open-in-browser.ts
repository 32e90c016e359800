import { spawn } from "node:child_process";
import { once } from "node:events";

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ["open"],
  // `start` is a word of the shell and would read `&` in the address as the end of a command.
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
  linux: ["xdg-open"],
};

/** Opens the address in the person's browser; false where there is none to be expected. */
export async function openInBrowser(
  address: URL,
  { env, isTerminal }: { readonly env: NodeJS.ProcessEnv; readonly isTerminal: boolean },
): Promise<boolean> {
  const opener = OPENERS[process.platform];
  if (opener === undefined || env["CI"] !== undefined || !isTerminal) return false;
  const [command, ...first] = opener;
  const child = spawn(command, [...first, address.href], { stdio: "ignore", detached: true });
  child.unref();
  return Promise.race([
    once(child, "spawn").then(() => true),
    once(child, "error").then(() => false),
  ]).catch(() => false);
}
