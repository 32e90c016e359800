import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { forbiddenImports, type ImportTable, roomOf } from "@/scripts/architecture/import-table";
import { isForTests, isSource, textFiles } from "@/scripts/architecture/source-tree";
import { writingRules } from "@/scripts/architecture/writing-rules";

/** What everybody may know; `domain` and `eidas` are the two that read no settings and write no log. */
const common = ["lib/config", "lib/log"];
const domain = "lib/domain";
const schema = "drizzle/schema";

/** Who may import what, besides itself: docs/architecture.md as data. */
const table: ImportTable = {
  "lib/domain": { rooms: [], packages: [] },
  "lib/config": { rooms: [], packages: ["zod"] },
  "lib/log": { rooms: [], packages: ["pino"] },
  "lib/system-clock": { rooms: [domain], packages: [] },
  "lib/eidas": { rooms: [domain], packages: ["node:crypto", "asn1js"] },
  "lib/postgres": {
    rooms: [domain, ...common, schema],
    packages: ["drizzle-orm", "postgres", "node:url"],
    because: "the migrations are files beside the schema",
  },
  "lib/core-bank": {
    rooms: [domain, ...common, schema],
    packages: [
      "zod",
      "drizzle-orm",
      "node:crypto",
      "@node-rs/argon2",
      "ibantools",
      "fast-xml-parser",
    ],
    because: "the bank keeps its customers' passwords and makes the one-time codes",
  },
  "lib/xs2a": {
    rooms: [domain, "lib/eidas", "lib/composition", "lib/log"],
    packages: ["zod", "ibantools", "node:crypto", "node:net"],
    because: "checks digests, signatures, IBANs and addresses; settings reach it through the ports",
  },
  "lib/oauth": {
    rooms: [domain, "lib/eidas", ...common],
    packages: ["oidc-provider", "light-my-request", "node:http", "node:crypto", "jose"],
    because: "access tokens are signed here, with a key of our own",
  },
  "lib/oauth/machine-time": {
    rooms: ["lib/system-clock"],
    packages: [],
    because: "oidc-provider reads the machine's clock, and is told the bank's time in terms of it",
  },
  "lib/oauth/node-20-9": {
    rooms: [],
    packages: ["node:crypto", "node:module"],
    because: "gives the library what a Node older than it does not have",
  },
  "lib/psu": {
    rooms: [domain, "lib/composition", ...common],
    packages: ["zod", "next-auth", "next"],
  },
  "lib/server": {
    rooms: [domain, ...common, "lib/eidas", "lib/xs2a/tpp-messages"],
    packages: ["node:*", "next", "@next/env"],
    because: "what it refuses itself has the TPP's form too; it reads .env as Next would",
  },
  "lib/server/prepare": {
    rooms: ["lib/server", "lib/config", "lib/postgres/migrate", "lib/sandbox"],
    packages: ["node:path"],
    because: "before the first request somebody migrates the database and fills the demo bank",
  },
  "lib/server/sweep": {
    rooms: [domain, "lib/server", "lib/config", "lib/postgres", "lib/system-clock"],
    packages: [],
    because: "it has to end with the process, of which the application's parts are told nothing",
  },
  "lib/sandbox": {
    rooms: [domain, ...common, "lib/core-bank", schema],
    packages: [
      "@peculiar/x509",
      "reflect-metadata",
      "drizzle-orm",
      "postgres",
      "node:*",
      "@node-rs/argon2",
    ],
    because: "a room of its own: the demo bank is entered into the ledger, the CA issues",
  },
  "lib/sandbox/clock": {
    rooms: [domain, "lib/config"],
    packages: ["zod"],
    because: "a door of its own: whoever moves the clock is not to be trusted with its form",
  },
  "lib/composition": {
    rooms: [
      domain,
      ...common,
      "lib/eidas",
      "lib/postgres",
      "lib/core-bank",
      "lib/oauth",
      "lib/system-clock",
    ],
    packages: ["node:fs"],
    because: "reads the keys and trust anchors that the settings name",
  },
  app: { rooms: [domain, "lib/psu", "components"], packages: ["react", "next"] },
  "app/(xs2a)": { rooms: [domain, "lib/xs2a"], packages: [] },
  "app/(oauth)": { rooms: ["lib/oauth", "lib/composition"], packages: [] },
  "app/(psu)": { rooms: [domain, "lib/psu", "components"], packages: ["react", "next"] },
  "app/(sandbox)": {
    rooms: [domain, ...common, "lib/composition", "lib/psu", "lib/sandbox/clock", "components"],
    packages: ["react", "next"],
  },
  components: { rooms: [domain, "lib/psu"], packages: ["react"] },
  drizzle: {
    rooms: [domain],
    packages: ["drizzle-orm", "drizzle-kit"],
    because: "a column has the domain's type",
  },
  bank: {
    rooms: [
      domain,
      "lib/config",
      "lib/core-bank",
      "lib/postgres/client",
      "lib/postgres/sandbox-clock",
      "lib/server",
      "lib/system-clock",
    ],
    packages: ["node:*", "postgres"],
    because: "the bank's own command: it finds the database as the server does",
  },
  tpp: {
    rooms: ["lib/sandbox/certificate-authority", "lib/sandbox/tpp-certificates"],
    packages: ["node:*", "undici", "openid-client", "@next/env"],
    because: "its certificates come from the sandbox CA; it reads .env as the bank does",
  },
  e2e: {
    rooms: ["tpp"],
    packages: ["node:*", "@playwright/test", "@axe-core/playwright", "ajv", "ajv-formats", "yaml"],
  },
  bench: {
    rooms: ["tpp", "e2e/harness/server"],
    packages: ["node:*"],
    because: "what is measured is started as the end-to-end tests start it",
  },
  scripts: { rooms: [], packages: ["node:*", "zod", "@playwright/test", "vitest/node"] },
  "next.config": { rooms: [], packages: ["next"] },
  "vitest.config": { rooms: [], packages: ["vitest"] },
};

const files = textFiles(join(import.meta.dirname, ".."));
const sources = files.filter((file) => isSource(file) && !isForTests(file.path));

describe("the import table", () => {
  it("holds for every source file", () => {
    expect(sources.flatMap((file) => forbiddenImports(file, table))).toEqual([]);
  });

  describe.each(Object.entries(table))("%s", (name, room) => {
    it("has files", () => {
      expect(sources.some(({ path }) => roomOf(path, table) === name)).toBe(true);
    });

    it("may not import a package the table does not name", () => {
      expect(forbiddenImports(importing(name, "left-pad"), table)).toHaveLength(1);
    });

    it("may not import from a room the table does not name", () => {
      const known = [name, ...room.rooms];
      const strangers = Object.keys(table).filter((other) => {
        return !known.some((entry) => `${other}/`.startsWith(`${entry}/`));
      });
      const reported = strangers.filter((other) => {
        return forbiddenImports(importing(name, `@/${other}/made-up`), table).length === 1;
      });
      expect(reported).toEqual(strangers);
    });
  });

  it("a file in no room of the table is a violation", () => {
    expect(forbiddenImports({ path: "lib/helpers/made-up.ts", text: "" }, table)).toHaveLength(1);
  });
});

describe("how the source is written", () => {
  it.each(Object.entries(writingRules))("%s", (_name, rule) => {
    expect(files.flatMap(rule)).toEqual([]);
  });
});

function importing(room: string, specifier: string) {
  return { path: `${room}/made-up.ts`, text: `import { thing } from "${specifier}";` };
}
