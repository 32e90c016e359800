import { defineConfig } from "drizzle-kit";

/** Paths are those of the project's root, where `npm run db:generate` runs. */
export default defineConfig({
  dialect: "postgresql",
  schema: ["./drizzle/schema/drawbridge/index.ts", "./drizzle/schema/ledger/index.ts"],
  out: "./drizzle/migrations",
});
