import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { recorder } from "@/lib/postgres/testing-statements/recorded";
import { okUri, webUrl } from "./testing/bank";
import { testBrowser } from "./testing/browser";
import { tokenClient } from "./testing/token-client";
import { authorisationRequest, open } from "./testing/tpp-journey";

const OPEN = 3_000;
const elsewhere = "https://tpp.example/elsewhere";
const unknown = { id: "00000000-0000-4000-8000-000000000000" };

const { asked, debug } = recorder();

let client: Awaited<ReturnType<typeof tokenClient>>;
beforeAll(async () => {
  client = await tokenClient({ debug });
});
afterAll(() => client.bank.close());

/** As many open authorisations of the TPP, each with a redirect URI of its own or all with the same. */
async function manyOpen(count: number) {
  const { sql } = client.bank;
  const { consent } = await client.authorised({ recurringIndicator: false });
  await sql`insert into authorisation (id, kind, resource_id, tpp_id, request_id, sca_status, redirect_uri,
      failed_attempts, selection, codes_sent, created_at, expires_at)
    select gen_random_uuid(), kind, gen_random_uuid(), tpp_id, gen_random_uuid(), 'received',
      case when n % 2 = 0 then ${okUri} else 'https://tpp.example/ok/' || n end,
      0, '{}', 0, created_at, expires_at
    from authorisation, generate_series(1, ${count}) n where id = ${consent.authorisationId}`;
  await sql`analyze authorisation`;
}

type Plan = {
  readonly "Relation Name"?: string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly "Rows Removed by Index Recheck"?: number;
  readonly Plans?: readonly Plan[];
};

/** How many rows of `authorisation` a plan has read, whether or not it has used them. */
function rowsRead(plan: Plan): number {
  const {
    "Actual Rows": used,
    "Actual Loops": loops,
    "Rows Removed by Filter": filtered = 0,
    "Rows Removed by Index Recheck": rechecked = 0,
  } = plan;
  const own = plan["Relation Name"] === "authorisation" ? (used + filtered + rechecked) * loops : 0;
  return own + (plan.Plans ?? []).map(rowsRead).reduce((sum, rows) => sum + rows, 0);
}

/** What this sends to the database, and how many authorisations the statements read. */
async function costOf(work: () => Promise<unknown>) {
  asked.length = 0;
  await work();
  const sent = asked.filter(({ text }) => /^select/i.test(text));
  let rows = 0;
  for (const { text, params } of sent) {
    const explained = await client.bank.sql.unsafe(
      `explain (analyze, format json) ${text}`,
      params as string[],
    );
    rows += rowsRead(explained[0]?.["QUERY PLAN"][0].Plan);
  }
  return { statements: sent.map(({ text }) => text), rows };
}

const ask = (redirectUri: string) => async () => {
  const url = authorisationRequest(client.example.tpp, unknown, { redirect_uri: redirectUri });
  return (await open(client.bank, url, testBrowser())).href;
};

describe("X17: what a TPP has open costs nobody anything", () => {
  it("X17: an authorisation request for an unknown scope, and a token, read the same with 3,000 open as with two", async () => {
    await manyOpen(2);
    const { back } = await client.authorised({ recurringIndicator: true });
    const before = [await costOf(ask(okUri)), await costOf(ask(elsewhere))];
    const token = await costOf(async () => {
      expect((await client.redeem(back)).status).toBe(200);
    });
    await manyOpen(OPEN);
    const { back: later } = await client.authorised({ recurringIndicator: true });
    const after = [await costOf(ask(okUri)), await costOf(ask(elsewhere))];
    const tokenLater = await costOf(async () => {
      expect((await client.redeem(later)).status).toBe(200);
    });
    for (const [at, cost] of [...after, tokenLater].entries()) {
      expect(cost.statements).toEqual([...before, token][at]?.statements);
      expect(cost.rows).toBeLessThanOrEqual(10);
    }
  });

  it("O2: the answers are what they were: the TPP is told of its unknown scope, at its own URI alone", async () => {
    await manyOpen(1);
    expect(await ask(okUri)()).toContain("error=invalid_scope");
    expect(await ask(elsewhere)()).toBe(`${webUrl}/authorise/ended?reason=wrong-redirect-uri`);
    expect(await ask("\u0000")()).toBe(`${webUrl}/authorise/ended?reason=wrong-redirect-uri`);
  });
});
