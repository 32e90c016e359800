import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

const all = ["lib", "cli", "clients", "tools"].map((folder) => `${folder}/**/*.test.ts`);

/**
 * Files share the modules they use, since to load the services again for each takes as long as its tests: but for
 * these, which mock modules, patch what is global, or hold what others would find.
 */
const alone = [
  "lib/services.test.ts",
  "lib/profile/in-force.test.ts",
  "lib/constant-time.test.ts",
  "lib/revocation-of-certificates.test.ts",
  "lib/blocked-tpps.test.ts",
  "lib/oauth/moved-clock.test.ts",
  "lib/outbound/dns-rebinding.test.ts",
  "lib/core-bank/ledger/psu-directory.test.ts",
  "lib/server/data-lock.test.ts",
  "clients/typescript/src/retries.test.ts",
  "lib/xs2a/consent-replay.test.ts",
  "lib/xs2a/openapi/routes.test.ts",
  "lib/workshop/explain-refusal.test.ts",
  "lib/workshop/outside-the-sandbox.test.ts",
];

/** They need React as it is for development, which the built application of other tests has loaded otherwise. */
const pages = ["lib/psu/**/*.test.ts", "components/**/*.test.ts"];

const resolve = { alias: { "@": import.meta.dirname } };
const each = {
  env: { LOG_LEVEL: "silent" },
  // Each test database opens connections of its own, and the cluster has a hundred. On few processors each
  // worker more costs what it takes to load the services, and gains what little the others wait.
  maxWorkers: Math.min(4, availableParallelism() + 1),
  // No promise about speed: they only end what hangs, on a machine that is busy with something else too.
  testTimeout: 360_000,
  hookTimeout: 360_000,
};
const shared = { ...each, isolate: false };

export default defineConfig({
  test: {
    // Here and not in each project: they have one PostgreSQL together.
    globalSetup: ["./lib/postgres/testing-cluster.ts"],
    maxWorkers: each.maxWorkers,
    projects: [
      {
        resolve,
        test: { ...shared, name: "together", include: all, exclude: [...alone, ...pages] },
      },
      { resolve, test: { ...shared, name: "pages", include: pages } },
      { resolve, test: { ...each, name: "alone", include: alone } },
    ],
  },
  resolve,
});
