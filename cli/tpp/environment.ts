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

/** The time of the sandbox at WEB_URL, whose clock may have been moved; this machine's where there is none. */
export async function sandboxTime(): Promise<() => Date> {
  const ahead = await fetch(`${webUrl()}/sandbox/clock`, { signal: AbortSignal.timeout(2_000) })
    .then((answer) => answer.json())
    .then(({ offsetSeconds = 0 }: { readonly offsetSeconds?: number }) => offsetSeconds * 1_000)
    .catch(() => 0);
  return () => new Date(Date.now() + ahead);
}

/** The host for browsers, where the sandbox CA answers for its certificates. */
export function webUrl(): string {
  return process.env["WEB_URL"] || `http://localhost:${process.env["WEB_PORT"] || 3000}`;
}
