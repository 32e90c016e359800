import { defineConfig } from "vitest/config";

const all = ["lib", "tpp", "bank", "scripts", "bench", "faults", "cluster"].map(
  (folder) => `${folder}/**/*.test.ts`,
);

/**
 * Files share the modules they use, since to load the house anew for each takes as long as its tests: but for
 * these, which mock modules, patch what is global, or hold what others would find.
 */
const alone = [
  "lib/composition.test.ts",
  "lib/*-in-the-house.test.ts",
  "lib/oauth/machine-time.test.ts",
  "lib/oauth/moved-clock.test.ts",
  "lib/outbound/dns-rebinding.test.ts",
  "lib/core-bank/ledger/password.test.ts",
  "lib/core-bank/ledger/psu-directory.test.ts",
  "lib/sandbox/defects.test.ts",
  "lib/server/async-contexts.test.ts",
  "lib/workshop/outside-the-sandbox.test.ts",
];

/** They need React as it is for development, which the built application of other tests has loaded otherwise. */
const pages = ["lib/psu/**/*.test.ts"];

export default defineConfig({
  resolve: { alias: { "@": import.meta.dirname } },
  test: {
    globalSetup: ["./lib/postgres/testing-cluster.ts"],
    env: { LOG_LEVEL: "silent" },
    // Each test database opens connections of its own, and the cluster has a hundred.
    maxWorkers: 4,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: { name: "together", isolate: false, include: all, exclude: [...alone, ...pages] },
      },
      { extends: true, test: { name: "pages", isolate: false, include: pages } },
      { extends: true, test: { name: "alone", include: alone } },
    ],
  },
});
