import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { granted, NoAnswer, signed, text, xs2a } from "@/clients/typescript/src";
import { ownChannelAt } from "../harness/own-channel";
import { psuByForms } from "../harness/psu-by-forms";
import { expectRefusal } from "../harness/refusals";
import { type SeveralServers, severalServers } from "../harness/several-servers";
import { test as base, expect } from "../harness/test";
import { type TestTpp, testTpp } from "../harness/test-tpp";

const PATH = "/open-banking/v3.1/pisp/v1/payments/sepa-credit-transfers";
const REPEATS = 200;

const test = base.extend<Record<never, never>, { readonly three: SeveralServers }>({
  three: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
    async ({}, use) => {
      const folder = await mkdtemp(join(tmpdir(), "drawbridge-three-"));
      const three = await severalServers(folder, 3);
      await use(three);
      await three.stop();
      await rm(folder, { recursive: true, force: true });
    },
    { scope: "worker", timeout: 300_000 },
  ],
});
test.setTimeout(300_000);
test.describe.configure({ mode: "serial" });

test("B9: 200 parallel repeats of one payment at three processes are one payment and one answer", async ({
  observe,
  three,
}) => {
  const { database, each } = three;
  const sql = postgres(database.url, { max: 1 });
  const tpp = await testTpp({ bank: each[0], onExchange: observe });
  const other = await testTpp({ bank: each[0], onExchange: observe });
  try {
    const requestId = crypto.randomUUID();
    const bodies = Array.from({ length: REPEATS }, (_, at) =>
      order(at % 5 === 0 ? "2.00" : "1.00"),
    );
    const answers = await Promise.all(
      bodies.map((body, at) => initiate(tpp, portOf(each, at), requestId, body)),
    );

    const [first] = answers;
    expect(first?.status).toBe(201);
    expect(answers).toEqual(answers.map(() => first));
    const { paymentId } = JSON.parse(String(first?.body)) as { readonly paymentId: string };

    const payments = await sql`select id, amount_minor::int as amount from payment`;
    expect(payments.map(({ id }) => id)).toEqual([paymentId]);
    expect(await sql`select from payment_initiation`).toHaveLength(1);
    expect(await sql`select from authorisation`).toHaveLength(1);

    // Which of the two bodies came first is left to the race; each of the other kind is on record.
    const kept = order(payments[0]?.["amount"] === 200 ? "2.00" : "1.00");
    const differing = bodies.filter((body) => body !== kept);
    const events = await sql`select kind, tpp_id, request_id from event
      where kind = 'idempotency-mismatch'`;
    const event = { kind: "idempotency-mismatch", tpp_id: tpp.id, request_id: requestId };
    expect(events).toHaveLength(differing.length);
    expect([...events]).toEqual(differing.map(() => event));

    const foreign = await initiate(other, portOf(each, 1), requestId, order("1.00"));
    expect(foreign.status).toBe(201);
    expect(foreign.body).not.toContain(paymentId);
    expect(await sql`select from payment`).toHaveLength(2);
  } finally {
    await Promise.all([tpp.close(), other.close(), sql.end()]);
  }
});

test("a permission ended at one process has ended at all of them, and its tokens are dead there", async ({
  observe,
  three: { each },
  page,
}) => {
  const [{ webUrl }] = each;
  const tpp = await testTpp({ bank: each[0], onExchange: observe });
  const at = each.map(({ xs2aPort }) =>
    xs2a({ url: `https://localhost:${xs2aPort}`, http: tpp.http, seal: tpp.seal }),
  );
  const asked = await tpp.ask();
  const psu = psuByForms(webUrl);
  await psu.open(asked.request.url);
  await psu.agree("ana", tpp.name);
  const { consentId } = asked;
  const { accessToken, refreshToken } = await tpp.collect(asked);
  for (const bank of at) granted(await bank.accounts({ consentId, accessToken }));

  const own = ownChannelAt(page, webUrl);
  await own.signIn("ana", `/permissions/accounts/${consentId}`);
  await page.getByRole("link", { name: "End this permission" }).click();
  await page.getByRole("button", { name: "End permission" }).click();
  await expect(page.getByRole("status")).toContainText("The permission has ended.");
  for (const bank of at) {
    expectRefusal(await bank.accounts({ consentId, accessToken }), 401, "CONSENT_INVALID");
  }
  for (const { xs2aPort } of each) {
    const { status, body } = await tpp.http.send({
      method: "POST",
      url: `https://localhost:${xs2aPort}/token`,
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: Buffer.from(
        new URLSearchParams({
          client_id: tpp.id,
          grant_type: "refresh_token",
          refresh_token: String(refreshToken),
        }).toString(),
      ),
    });
    expect([status, JSON.parse(text(body)).error]).toEqual([400, "invalid_grant"]);
  }
  await tpp.close();
});

function order(amount: string): string {
  return JSON.stringify({
    instructedAmount: { currency: "EUR", amount },
    debtorAccount: { iban: "RO49AAAA1B31007593840000" },
    creditorAccount: { iban: "DE89370400440532013000" },
    creditorName: "Merchant123",
    endToEndIdentification: "three-processes",
  });
}

function portOf(servers: readonly { readonly xs2aPort: number }[], at: number): number {
  return servers[at % servers.length]?.xs2aPort ?? 0;
}

/** Signed for each try: without an answer a TPP sends the same request again. */
async function initiate(
  tpp: TestTpp,
  port: number,
  requestId: string,
  body: string,
  triesLeft = 4,
): ReturnType<typeof initiated> {
  return initiated(tpp, port, requestId, body).catch((error: unknown) => {
    // A busy machine may take longer for so many handshakes at once than the server gives one.
    if (!(error instanceof NoAnswer) || triesLeft === 0) throw error;
    return initiate(tpp, port, requestId, body, triesLeft - 1);
  });
}

async function initiated(tpp: TestTpp, port: number, requestId: string, body: string) {
  const bytes = Buffer.from(body);
  const {
    status,
    headers,
    body: answered,
  } = await tpp.http.send({
    method: "POST",
    url: `https://localhost:${port}${PATH}`,
    body: bytes,
    headers: signed(tpp.seal, bytes, {
      accept: "application/json",
      "content-type": "application/json",
      "x-request-id": requestId,
      "psu-ip-address": "192.0.2.1",
      "tpp-redirect-uri": tpp.redirectUri,
    }),
  });
  return { status, location: headers["location"], body: text(answered) };
}
