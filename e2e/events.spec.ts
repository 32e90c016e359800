import { granted } from "@/clients/typescript/src";
import { bankCommand, exported } from "./harness/bank-command";
import { expect, test } from "./harness/test";

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
  await bankCommand(bank, "tpp", "block", tpp.id, "--reason", "an authority's order");
  expect((await tpp.bank.accounts(grant)).status).toBe(401);

  let events: readonly Exported[] = [];
  const last = async () => {
    const lines = (await exported(bank, "--tpp", tpp.id)).trim().split("\n");
    events = lines.map((line) => JSON.parse(line) as Exported);
    return events.at(-1)?.kind;
  };
  // The refusal is recorded beside the answer.
  await expect.poll(last).toBe("request-refused");
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

  const started = await exported(bank, "--kind", "server-started");
  expect(new Set(started.match(/"kind":"[\w-]+"/g))).toEqual(new Set(['"kind":"server-started"']));
  expect(started).not.toContain("postgres://");
  expect(await bankCommand(bank, "events", "verify")).toMatch(/ are as they were recorded/);
});
