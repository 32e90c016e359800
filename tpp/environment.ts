import nextEnv from "@next/env";

/** The settings this TPP shares with the bank, from `.env` or the environment, as the server reads them. */
export function readEnvironment(): void {
  nextEnv.loadEnvConfig(process.cwd(), false, { info: () => undefined, error: () => undefined });
}

export function dataDirectory(): string {
  return process.env["DATA_DIR"] || ".data";
}

export function xs2aUrl(): string {
  return process.env["XS2A_URL"] || `https://localhost:${process.env["XS2A_PORT"] || 8443}`;
}
