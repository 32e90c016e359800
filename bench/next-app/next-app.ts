import { execFile, fork } from "node:child_process";
import { once } from "node:events";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import type { TlsFiles } from "../limit/tls";

export type NextApp = {
  readonly pid: number;
  readonly port: number;
  readonly close: () => Promise<void>;
};

const ROOT = join(import.meta.dirname, "../..");
export const CONSTANT = JSON.stringify({ ok: true });

const files: Readonly<Record<string, string>> = {
  "package.json": JSON.stringify({ private: true, type: "module" }),
  // The packages are the product's, outside of this folder.
  "next.config.mjs":
    'export default { poweredByHeader: false, compress: false, turbopack: { root: "/" } };',
  "app/[...path]/route.js": `export const dynamic = "force-dynamic";
const answer = () => new Response(${JSON.stringify(CONSTANT)}, {
  headers: { "content-type": "application/json" },
});
export { answer as GET, answer as POST };`,
};

/** An application of one route handler that answers anything with a constant, behind the same listener. */
export async function startNextApp(folder: string, tls: TlsFiles): Promise<NextApp> {
  await mkdir(join(folder, "app/[...path]"), { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  await symlink(join(ROOT, "node_modules"), join(folder, "node_modules"));
  const env = { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" } as const;
  const next = createRequire(import.meta.url).resolve("next/dist/bin/next");
  await promisify(execFile)(process.execPath, [next, "build"], { cwd: folder, env });

  const child = fork(join(import.meta.dirname, "process.ts"), {
    execArgv: ["--import", "tsx"],
    env,
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const ended = once(child, "exit");
  const failed = ended.then(() => {
    throw new Error("the Next application has ended");
  });
  failed.catch(() => undefined);
  child.send({ folder, tls });
  const [port] = await Promise.race([once(child, "message"), failed]);
  return {
    pid: Number(child.pid),
    port: Number(port),
    close: async () => {
      child.kill();
      await ended;
    },
  };
}
