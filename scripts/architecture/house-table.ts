import type { ImportTable } from "./import-table";

/** What everybody may know; `domain` and `eidas` are the two that read no settings and write no log. */
const common = ["lib/config", "lib/log"];
const domain = "lib/domain";
const schema = "drizzle/schema";

/** Who may import what, besides itself: docs/architecture.md as data. */
export const houseTable: ImportTable = {
  "lib/domain": { rooms: [], packages: [] },
  "lib/config": { rooms: ["lib/config-values"], packages: ["zod"] },
  "lib/config-values": { rooms: [], packages: ["zod"] },
  "lib/log": { rooms: ["lib/log-outlet"], packages: ["pino"] },
  "lib/log-outlet": { rooms: [], packages: ["pino"] },
  "lib/outage": { rooms: [], packages: ["node:async_hooks"] },
  "lib/once-per-turn": { rooms: [], packages: [] },
  "lib/system-clock": { rooms: [domain], packages: [] },
  "lib/eidas/trusted-list": {
    rooms: [domain, "lib/eidas"],
    packages: ["node:crypto", "fast-xml-parser", "@xmldom/xmldom", "xml-crypto"],
    because: "a list of issuers is signed XML",
  },
  "lib/eidas": { rooms: [domain], packages: ["node:crypto", "asn1js"] },
  "lib/postgres": {
    rooms: [domain, ...common, "lib/outage", "lib/once-per-turn", schema],
    packages: ["drizzle-orm", "postgres", "node:net", "node:timers/promises", "node:url"],
    because:
      "the migrations are files beside the schema; it finds the primary, and waits for a verdict",
  },
  "lib/ip-address": { rooms: [], packages: ["node:net"] },
  "lib/outbound": {
    rooms: ["lib/ip-address"],
    packages: ["node:dns", "node:http", "node:https", "node:net"],
    because:
      "asks elsewhere, at addresses that strangers have chosen; the global fetch cannot be held",
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
      "@simplewebauthn/server",
    ],
    because:
      "the bank keeps its customers' passwords, makes the one-time codes and judges passkeys",
  },
  "lib/xs2a": {
    rooms: [domain, "lib/eidas", "lib/composition", "lib/log", "lib/ip-address"],
    packages: ["zod", "ibantools", "node:crypto"],
    because: "checks digests, signatures, IBANs and addresses; settings reach it through the ports",
  },
  "lib/xs2a/openapi": {
    rooms: ["lib/xs2a", domain, "lib/composition", "package"],
    packages: ["zod"],
    because: "the description of the API has the version of the package",
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
    rooms: [domain, "lib/composition", "lib/outage", ...common],
    packages: ["zod", "next-auth", "next"],
  },
  "lib/psu/browser": {
    rooms: [],
    packages: ["@simplewebauthn/browser"],
    because: "runs in the PSU's browser: what it imports is sent there",
  },
  "lib/server": {
    rooms: [domain, ...common, "lib/eidas", "lib/outage", "lib/xs2a/http", "lib/xs2a/tpp-messages"],
    packages: ["node:*", "next", "@next/env", "esbuild"],
    because:
      "what it refuses itself has the TPP's form too; it reads .env as Next would, and builds",
  },
  "lib/server/built-routes": {
    rooms: ["lib/server"],
    packages: ["node:path", "node:url", "(an expression)"],
    because: "what the build has made of the route files is imported from where it has put it",
  },
  "lib/server/prepare": {
    rooms: [
      "lib/server",
      "lib/config",
      "lib/postgres/migrate",
      "lib/postgres/primary",
      "lib/sandbox",
    ],
    packages: ["node:path"],
    because: "before the first request somebody migrates the database and fills the demo bank",
  },
  "lib/server/health": {
    rooms: [domain, "lib/server", "lib/postgres/client"],
    packages: ["node:http"],
    because: "a server without its database is not ready",
  },
  "lib/server/execution": {
    rooms: [
      domain,
      "lib/server",
      "lib/config",
      "lib/postgres",
      "lib/core-bank",
      "lib/system-clock",
    ],
    packages: [],
    because: "it has to end with the process too, and what it does is done in the bank's books",
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
  "lib/sandbox/certificate-status": {
    rooms: [domain, "lib/config", "lib/eidas/revocation", "lib/once-per-turn"],
    packages: ["asn1js", "node:crypto", "node:fs", "node:path"],
    because: "a door of its own: the CA's word about its certificates, without what issues them",
  },
  "lib/sandbox/clock": {
    rooms: [domain, "lib/config"],
    packages: ["zod"],
    because: "a door of its own: whoever moves the clock is not to be trusted with its form",
  },
  "lib/workshop": {
    rooms: [
      domain,
      "lib/eidas",
      "lib/sandbox/certificate-status",
      "lib/sandbox/clock/foreign-page",
      "lib/server/request-headers",
      "lib/xs2a",
    ],
    packages: ["node:crypto", "node:fs", "node:path"],
    because: "explains a request by the checks themselves, to a person and for nobody's money",
  },
  "lib/composition": {
    rooms: [
      domain,
      ...common,
      "lib/eidas",
      "lib/postgres",
      "lib/core-bank",
      "lib/oauth",
      "lib/outbound",
      "lib/sandbox/certificate-status",
      "lib/system-clock",
    ],
    packages: ["node:fs", "node:path"],
    because: "reads the keys and trust anchors that the settings name; the sandbox asks its own CA",
  },
  app: { rooms: [domain, "lib/psu", "components"], packages: ["react", "next"] },
  "app/(xs2a)": { rooms: [domain, "lib/xs2a"], packages: [] },
  "app/(docs)": {
    rooms: ["lib/composition", "lib/xs2a/openapi", "app/(xs2a)/routes", "components"],
    packages: ["react", "next"],
    because: "shows the description of the API to people",
  },
  "app/(oauth)": { rooms: ["lib/oauth", "lib/composition"], packages: [] },
  "app/(psu)": { rooms: [domain, "lib/psu", "components"], packages: ["react", "next"] },
  "app/(sandbox)": {
    rooms: [
      domain,
      ...common,
      "lib/composition",
      "lib/psu",
      "lib/sandbox/certificate-order",
      "lib/sandbox/certificate-status",
      "lib/sandbox/clock",
      "lib/sandbox/defects",
      "lib/sandbox/minted-files",
      "lib/workshop",
      "components",
    ],
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
      "lib/postgres",
      "lib/server",
      "lib/system-clock",
    ],
    packages: ["node:*", "postgres", "zod"],
    because: "the bank's own command: it finds the database as the server does, and reads its log",
  },
  tpp: {
    rooms: [
      "lib/sandbox/certificate-authority",
      "lib/sandbox/certificate-order",
      "lib/sandbox/defects",
      "lib/sandbox/mint",
      "lib/workshop",
    ],
    packages: ["node:*", "undici", "openid-client", "@next/env"],
    because: "the sandbox CA mints its certificates, good and bad; it reads .env as the bank does",
  },
  cluster: {
    rooms: ["e2e/harness"],
    packages: ["node:*"],
    because: "its servers are started as the end-to-end tests start theirs",
  },
  e2e: {
    rooms: [
      "tpp",
      "lib/config",
      "lib/server",
      "lib/sandbox/testing-keys",
      "bank/run",
      "bench",
      "cluster",
    ],
    packages: [
      "node:*",
      "@playwright/test",
      "@axe-core/playwright",
      "axe-core",
      "ajv",
      "ajv-formats",
      "yaml",
    ],
    because:
      "several servers share a PostgreSQL that none of them has started, and get no setting but theirs",
  },
  "e2e/harness/log-leaks": {
    rooms: [
      "lib/sandbox/demo-bank-accounts",
      "lib/sandbox/demo-bank-customers",
      "lib/sandbox/demo-bank-iban",
      "lib/sandbox/demo-bank-parties",
    ],
    packages: [],
    because: "what may stand in no log is what the demo bank was filled with",
  },
  "e2e/harness/walk": {
    rooms: [
      domain,
      "bank/code-secret",
      "bank/database-url",
      "drizzle/schema",
      "e2e/harness",
      "lib/config",
      "lib/core-bank/one-time-codes",
      "lib/postgres",
      "lib/psu",
      "lib/sandbox/demo-bank-iban",
      "tpp",
    ],
    packages: ["node:*", "@node-rs/argon2", "@playwright/test", "drizzle-orm", "fast-check"],
    because: "it foretells every page by its rules, and adds customers of its own to the books",
  },
  bench: {
    rooms: ["tpp", "e2e/harness", "lib/server/build"],
    packages: ["node:*", "next", "postgres", "undici"],
    because: "what is measured is built, and started as the end-to-end tests start it",
  },
  "bench/limit": {
    rooms: [],
    packages: ["node:*", "postgres"],
    because: "the limit shares no code with what is held against it, only the driver",
  },
  faults: {
    rooms: [
      domain,
      "lib/config",
      "lib/sandbox/demo-bank-iban",
      "bank/database-url",
      "tpp",
      "bench",
      "cluster",
      "lib/postgres",
      "lib/server",
      "e2e/harness",
    ],
    packages: ["node:*", "postgres"],
    because: "a TPP and a PSU without a browser, and a look into the books afterwards",
  },
  scripts: { rooms: [], packages: ["node:*", "zod", "@playwright/test", "vitest/node"] },
  "scripts/page-weight": {
    rooms: ["e2e/harness"],
    packages: ["node:*", "@playwright/test", "vitest"],
    because: "the pages are reached as the end-to-end tests reach them",
  },
  "next.config": { rooms: [], packages: ["next"] },
  "vitest.config": { rooms: [], packages: ["node:os", "vitest"] },
};
