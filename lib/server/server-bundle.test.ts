import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import type { RouteFiles } from "./dispatch";
import { BUILT_SERVER, buildServer } from "./server-bundle";
import { temporaryFolder } from "./testing/folder";

const route = (word: string) =>
  `import { said } from "@/lib/said"; export const GET = async () => said(${JSON.stringify(word)});`;

/** A project whose programs do nothing, but for the TPP host, which keeps its route files. */
async function project(files: Readonly<Record<string, string>>): Promise<string> {
  const root = await temporaryFolder();
  const all = {
    "tsconfig.json": '{ "compilerOptions": { "paths": { "@/*": ["./*"] } } }',
    "lib/said.ts": "export const said = (word: string) => new Response(word);",
    "lib/server/current.ts": "export const isCurrent = async () => true;",
    "lib/server/start.ts": "export const runLauncher = async () => undefined;",
    "lib/server/web-process.ts": "export const runBrowserHost = async () => undefined;",
    "lib/server/tpp-process.ts":
      "export const runTppHost = async (routes: object) => void Object.assign(globalThis, { routes });",
    ...files,
  };
  for (const [file, text] of Object.entries(all)) {
    await mkdir(path.dirname(path.join(root, file)), { recursive: true });
    await writeFile(path.join(root, file), text);
  }
  return root;
}

/** What the TPP host is given when it is run. */
async function routesOf(root: string): Promise<RouteFiles> {
  onTestFinished(() => void Reflect.deleteProperty(globalThis, "routes"));
  await import(pathToFileURL(path.join(root, BUILT_SERVER, "tpp.mjs")).href);
  return (globalThis as { routes?: RouteFiles }).routes ?? {};
}

describe("the built server", () => {
  it("has the route files of the TPP host, by the paths of their folders, and no others", async () => {
    const root = await project({
      "app/(xs2a)/open-banking/v1/accounts/[id]/route.ts": route("account"),
      "app/(xs2a)/open-banking/[...unknown]/route.ts": route("unknown"),
      "app/(oauth)/token/revocation/route.ts": route("revocation"),
      "app/(oauth)/auth/route.ts": route("auth"),
      "app/(sandbox)/sandbox/clock/route.ts": route("clock"),
      "app/(xs2a)/open-banking/v1/accounts/[id]/route.test.ts": "not TypeScript",
    });
    await buildServer(root);
    const routes = await routesOf(root);
    expect(Object.keys(routes).toSorted()).toEqual([
      "/open-banking/[...unknown]",
      "/open-banking/v1/accounts/[id]",
      "/token/revocation",
    ]);
    const account = routes["/open-banking/v1/accounts/[id]"]?.["GET"];
    const params = Promise.resolve({});
    const answer = await account?.(new Request("https://bank.example"), { params });
    expect(await answer?.text()).toBe("account");
  });

  it.each(["next/headers", "react", "next"])("has no %s in the TPP host", async (name) => {
    const root = await project({ "app/(oauth)/token/route.ts": `import "${name}";` });
    await expect(buildServer(root)).rejects.toThrow(`the TPP host imports ${name}`);
  });

  it("is none when a source is wrong, and says which", async () => {
    const root = await project({ "app/(oauth)/token/route.ts": 'import "@/lib/missing";' });
    await expect(buildServer(root)).rejects.toThrow("lib/missing");
  });
});
