import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { alias: { "@": import.meta.dirname } },
  test: {
    include: [
      "lib/**/*.test.ts",
      "tpp/**/*.test.ts",
      "bank/**/*.test.ts",
      "scripts/**/*.test.ts",
      "bench/**/*.test.ts",
      "faults/**/*.test.ts",
    ],
    globalSetup: ["./lib/postgres/testing-cluster.ts"],
    env: { LOG_LEVEL: "silent" },
    // Each test database opens connections of its own, and the cluster has a hundred.
    maxWorkers: 4,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
