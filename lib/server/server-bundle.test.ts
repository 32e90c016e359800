import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { builtRoutes } from "./built-routes";
import { buildServer } from "./server-bundle";
import { temporaryFolder } from "./testing/folder";

const route = (word: string) =>
  `import { said } from "@/lib/said"; export const GET = async () => said(${JSON.stringify(word)});`;

async function project(files: Readonly<Record<string, string>>): Promise<string> {
  const root = await temporaryFolder();
  const all = {
    "tsconfig.json": '{ "compilerOptions": { "paths": { "@/*": ["./*"] } } }',
    "lib/said.ts": "export const said = (word: string) => new Response(word);",
    "lib/server/start-built.ts": "export const startBuilt = async () => false;",
    "lib/server/worker.ts": "export {};",
    ...files,
  };
  for (const [file, text] of Object.entries(all)) {
    await mkdir(path.dirname(path.join(root, file)), { recursive: true });
    await writeFile(path.join(root, file), text);
  }
  return root;
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
    const routes = await builtRoutes(root);
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

  it("is none when a source is wrong, and says which", async () => {
    const root = await project({ "app/(oauth)/token/route.ts": 'import "@/lib/missing";' });
    await expect(buildServer(root)).rejects.toThrow("lib/missing");
  });
});
