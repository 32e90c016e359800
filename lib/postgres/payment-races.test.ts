import fc from "fast-check";
import { expect, test } from "vitest";
import type { PaymentDecision } from "@/lib/domain/authorisation";
import { connect, type Database } from "./client";
import {
  challengedPayment,
  confirmed,
  eur,
  minutesOn,
  now,
  type Payer,
  patientBounds,
  payer,
  type Stores,
  storesOf,
  testStores,
  today,
} from "./testing";

const { database } = await testStores();

const dayLimit = { psuDayLimit: eur(2_500n) };

/** Two PSUs who share an account, and each has another one. */
async function payersOf(): Promise<readonly Payer[]> {
  const ana = await payer(database.db);
  const mihai = await payer(database.db);
  await database.sql`insert into account_owner values (${ana.accountId}, ${mihai.psuId}, 'owner')`;
  const second = await payer(database.db, { psuId: ana.psuId });
  return [ana, { ...ana, psuId: mihai.psuId }, mihai, second];
}

type Racing = Stores & { readonly db: Database };

function callOf(racing: Racing, decision: PaymentDecision, kind: number): Promise<unknown> {
  const { authorisationId: id } = decision;
  const no = { id, because: "cancelled", on: today, at: now } as const;
  const calls = [
    () => confirmed(racing.db, decision, dayLimit),
    () => confirmed(racing.db, { ...decision, at: minutesOn(2) }, dayLimit),
    () => racing.authorisations.fail(no),
    () => racing.authorisations.takeAttempt(id, 5, now),
  ];
  return calls[kind]?.() ?? Promise.reject(new Error("no such call"));
}

/** Payments whose rows do not fit together, and PSUs whose day is not the sum of what was accepted. */
const contradictions = () => database.sql`
  select p.id::text from payment p join payment_state s on s.payment_id = p.id
    join authorisation a on a.id = p.authorisation_id left join ledger_payment l on l.id = p.id
  where (s.status in ('ACCP', 'RJCT')) <> (a.sca_status in ('finalised', 'failed'))
     or (s.psu_id is not null) <> (a.sca_status = 'finalised')
     or s.status <> coalesce(l.status, s.status) or (s.status = 'ACCP') <> (l.limit_minor is not null)
     or (s.status = 'ACCP') <> (exists (select from payment_submission o where o.payment_id = p.id))
     or array_length((select array_agg(c.status) from payment_status_change c
          where c.payment_id = p.id), 1) <> case when s.psu_id is not null then 3
          when s.status = 'RJCT' then 2 else 1 end
  union all
  select d.psu_id from payment_limit_day d where d.used_minor <> (
    select sum(l.limit_minor) from ledger_payment l where l.psu_id = d.psu_id and l.limit_day = d.day)`;

test("any mix of yes and no at once: no deadlock, and payment, authorisation, ledger and limit agree", async () => {
  // Its own connections: PostgreSQL counts their deadlocks when they close.
  const connection = connect(database.url, { max: 20, bounds: patientBounds });
  const racing = { ...storesOf(connection.db), db: connection.db };
  const calls = fc.array(fc.tuple(fc.nat({ max: 7 }), fc.nat({ max: 3 })), {
    minLength: 30,
    maxLength: 60,
  });
  await fc.assert(
    fc.asyncProperty(calls, async (mix) => {
      const payers = await payersOf();
      const decisions = await Promise.all(
        [...payers, ...payers].map((paying) => challengedPayment(racing, paying)),
      );
      await Promise.all(
        mix.map(([which, kind]) => {
          const decision = decisions[which];
          if (decision === undefined) throw new Error("no such decision");
          return callOf(racing, decision, kind);
        }),
      );
      expect(await contradictions()).toEqual([]);
    }),
    // A run takes seconds: the counterexample made smaller would come after the test's limit.
    { numRuns: 12, endOnFailure: true },
  );
  await connection.close();
  const [stat] = await database.sql`select deadlocks::int from pg_stat_database
    where datname = current_database()`;
  expect(stat).toEqual({ deadlocks: 0 });
  const [seen] = await database.sql`select count(*) filter (where status = 'ACCP') > 0 as accepted,
    count(*) filter (where reason = 'day-limit') > 0 as limited,
    count(*) filter (where reason = 'cancelled') > 0 as cancelled from payment_state`;
  expect(seen).toEqual({ accepted: true, limited: true, cancelled: true });
});
