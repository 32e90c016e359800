import { spawnSync } from "node:child_process";
import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { BUILT_SERVER, buildServer, buildStamp } from "./build";
import type { RouteFiles } from "./dispatch";
import { temporaryFolder } from "./testing";

describe("the bundle of the server", () => {
  const route = (word: string) =>
    `import { said } from "@/lib/said"; export const GET = async () => said(${JSON.stringify(word)});`;

  /** A project whose programs do nothing, but for the TPP host, which keeps its route files. */
  async function project(files: Readonly<Record<string, string>>): Promise<string> {
    const root = await temporaryFolder();
    const all = {
      "tsconfig.json": '{ "compilerOptions": { "paths": { "@/*": ["./*"] } } }',
      "lib/said.ts": "export const said = (word: string) => new Response(word);",
      "lib/bank-api/routes.ts": "export const bankRoutes = {};",
      "lib/server/build-is-current.ts": "export const isCurrent = async () => true;",
      "lib/server/trusted-lists.ts": "export const runTrustedLists = async () => undefined;",
      "lib/server/launcher.ts": "export const runLauncher = async () => undefined;",
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
});

describe("the stamp of a build", () => {
  async function project(): Promise<string> {
    const root = await temporaryFolder();
    await mkdir(path.join(root, "lib/domain"), { recursive: true });
    await writeFile(path.join(root, "lib/domain/values.ts"), "one");
    await writeFile(path.join(root, "package-lock.json"), "{}");
    return root;
  }

  describe("the stamp of a build", () => {
    it("is the same for the same sources, wherever they are", async () => {
      expect(buildStamp(await project())).toBe(buildStamp(await project()));
    });

    it.each([
      "lib/domain/values.ts",
      "app/page.tsx",
      "next.config.ts",
      "package-lock.json",
      "postcss.config.mjs",
      "public/a",
    ])("changes with %s", async (file) => {
      const root = await project();
      const before = buildStamp(root);
      await mkdir(path.dirname(path.join(root, file)), { recursive: true });
      await writeFile(path.join(root, file), "other");
      expect(buildStamp(root)).not.toBe(before);
    });

    it("changes when a file goes or gets another name", async () => {
      const root = await project();
      const before = buildStamp(root);
      await rm(path.join(root, "lib/domain/values.ts"));
      const without = buildStamp(root);
      await writeFile(path.join(root, "lib/domain/moneys.ts"), "one");
      expect(new Set([before, without, buildStamp(root)]).size).toBe(3);
    });

    it.each([
      "lib/domain/values.test.ts",
      "README.md",
      "node_modules/next/index.js",
      "public/built/psu.js",
    ])("does not change with %s", async (file) => {
      const root = await project();
      const before = buildStamp(root);
      await mkdir(path.dirname(path.join(root, file)), { recursive: true });
      await writeFile(path.join(root, file), "other");
      expect(buildStamp(root)).toBe(before);
    });
  });
});

it("a profile that cannot be read is said in one sentence before anything is built", () => {
  const env = { ...process.env, BANK_PROFILE: "/nowhere.yaml" };
  const program = ["--import", "tsx", "lib/server/build-program.ts", "start"];
  const { status, stderr } = spawnSync(process.execPath, program, { env, encoding: "utf8" });
  expect([status, stderr]).toEqual([
    1,
    "BANK_PROFILE is refused:\n/nowhere.yaml: cannot be read: ENOENT\n",
  ]);
}, 30_000);
