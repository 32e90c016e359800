import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { granted } from "@/cli/tpp/reply";
import { databaseUrlOf, type ServerSettings } from "./harness/server";
import { tppCommand } from "./harness/stop-list";
import { expect, test } from "./harness/test";

const bankCommand = async (bank: ServerSettings, ...args: readonly string[]) => {
  const command = ["--import", "tsx", "cli/bank/cli.ts", ...args];
  const env = { ...process.env, DATABASE_URL: databaseUrlOf(bank), DATA_DIR: bank.dataDir };
  return (await promisify(execFile)(process.execPath, command, { env })).stdout;
};
const span = ["--from", "2020-01-01T00:00:00Z", "--to", "2100-01-01T00:00:00Z"];
type Exported = Readonly<Record<string, unknown>> & { readonly kind: string };

test("RTS art. 29: from a TPP's request to its block, each change and refusal is on record, with who caused it", async ({
  bank,
  newTpp,
  authorise,
}) => {
  const tpp = await newTpp();
  const grant = await authorise(tpp);
  const { consentStatus } = granted(await tpp.bank.consentStatus(grant.consentId));
  expect(consentStatus).toBe("valid");
  await tppCommand(bank, "block", tpp.id, "--reason", "an authority's order");
  expect((await tpp.bank.accounts(grant)).status).toBe(401);

  const all = async () => {
    const lines = (await bankCommand(bank, "events", "export", ...span, "--tpp", tpp.id)).trim();
    return lines.split("\n").map((line) => JSON.parse(line) as Exported);
  };
  // The refusal is recorded beside the answer.
  await expect.poll(async () => (await all()).at(-1)?.kind).toBe("request-refused");
  const events = await all();
  expect(events.map(({ kind }) => kind)).toEqual([
    "tpp-seen",
    "consent-requested",
    "sca-attempt",
    "sca-status",
    "sca-proved",
    "sca-status",
    "sca-attempt",
    "sca-status",
    "sca-proved",
    "consent-status",
    "tokens-issued",
    "tpp-blocked",
    "request-refused",
  ]);
  const proofs = events.filter(({ kind }) => kind === "sca-proved").map(({ detail }) => detail);
  expect(proofs).toEqual([
    { element: "login", means: "password" },
    { element: "confirmation", means: "code" },
  ]);
  const blocked = events.find(({ kind }) => kind === "tpp-blocked");
  expect(blocked?.["actor"]).toMatch(/.@./);
  expect(events.at(-1)?.["detail"]).toEqual({ code: "CERTIFICATE_BLOCKED" });
  const subjects = events.map(({ subject }) => subject).filter((one) => one !== undefined);
  expect(new Set(subjects).size).toBe(1);

  const started = await bankCommand(bank, "events", "export", ...span);
  expect(started).toContain('"kind":"server-started"');
  expect(started).not.toContain("postgres://");
  expect(await bankCommand(bank, "events", "verify")).toMatch(/ are as they were recorded/);
});
