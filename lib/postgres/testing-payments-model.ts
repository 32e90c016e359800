import type fc from "fast-check";
import postgres from "postgres";
import { expect } from "vitest";
import { ledger } from "@/lib/core-bank/ledger/core-bank";
import { clearingAccounts } from "@/lib/core-bank/ledger/entries";
import { paymentExecution } from "@/lib/core-bank/ledger/payment-execution";
import type { ScaStatus } from "@/lib/domain/authorisation";
import { type AspspProfile, convert, money } from "@/lib/domain/bank-profile";
import type { PaymentOrder, TransactionStatus } from "@/lib/domain/payment-order";
import type { StoredAnswer } from "@/lib/domain/payments";
import { inMemoryBank } from "@/lib/domain/testing/in-memory-bank";
import type { Tpp } from "@/lib/domain/tpp";
import {
  type AccountId,
  type AuthorisationId,
  addTime,
  type Currency,
  dayIn,
  type Iban,
  type IsoDate,
  type PaymentId,
  type PsuId,
  type RequestId,
  type TppId,
} from "@/lib/domain/values";
import { aspspProfile } from "@/lib/testing-profile";
import { authorisationStore } from "./authorisations";
import type { Database } from "./client";
import { eventLog } from "./events";
import { clientOptions } from "./guarded-client";
import { paymentStore } from "./payments";
import { exampleTpp, type TestDatabase, testDatabase } from "./testing";
import { unguarded } from "./testing-database";

export type Command = fc.AsyncCommand<Model, World> & {
  readonly act: Act;
};

/** Does it, and may yield the books when it has had to look at them. */
type Act = (model: Model, world: World) => Promise<Books | undefined>;

/** After each command everything is looked at. */
export function command(
  name: string,
  act: Act,
  makesSense: (model: Model) => boolean = () => true,
): Command {
  return {
    act,
    check: makesSense,
    run: async (model, world) => {
      const books = await act(model, world);
      check(model, books ?? (await booksOf(world)));
    },
    toString: () => name,
  };
}

/** A command on one of the payments there are. */
export function onPayment(
  name: string,
  nth: number,
  onLife: (life: Life, ...args: Parameters<Act>) => ReturnType<Act>,
): Command {
  const act: Act = async (model, world) => {
    const life = model.lives[nth % model.lives.length];
    return life && onLife(life, model, world);
  };
  return command(`${name} #${nth}`, act, ({ lives }) => lives.length > 0);
}

/** Several steps as one command: looked at once, at its end. */
export function inTurn(name: string, commands: (model: Model) => readonly Command[]): Command {
  return command(name, async (model, world) => {
    let books: Books | undefined;
    for (const step of commands(model)) {
      if (step.check(model)) books = await step.act(model, world);
    }
    return books;
  });
}

/**
 * After each command: no payment is there twice or lost, no status has gone backwards, no money was
 * made or lost and none spent that is not there, and no limit is passed. One comparison of two texts,
 * because there are a hundred thousand of them.
 */
function check(model: Model, books: Books): void {
  expect(inWords(books)).toBe(inWords(booksIn(model, books)));
  const { now, overdraft } = model;
  expect(balanceOf(model) >= -overdraft && usedOn(model, dayOf(now)) <= DAY_LIMIT).toBe(true);
}

const inWords = (books: Books) => JSON.stringify(books, null, 1);

/** The books as they should be. */
function booksIn(model: Model, seen: Books): Books {
  const { lives } = model;
  const pending = lives.filter(({ status }) => status === "ACSP");
  const arrived = lives.filter(
    ({ status, payee }) => payee === "inside" && (status === "ACSC" || status === "ACCC"),
  );
  const nothing = { total: "0", pending: "0" };
  const days = new Set(lives.filter(wasAccepted).map(({ authorisedAt }) => dayOf(authorisedAt)));
  return {
    payments: lives
      .map((life) => rowIn(life, seen))
      .toSorted((one, other) => (one.id < other.id ? -1 : 1)),
    debtor: { total: `${balanceOf(model)}`, pending: `${-sum(pending, ({ debit }) => debit)}` },
    inside: { ...nothing, total: `${sum(arrived, credited)}` },
    closed: nothing,
    unbalanced: [],
    days: [...days].sort().map((day) => ({ day, used: `${usedOn(model, day)}` })),
  };
}

function rowIn(life: Life, books: Books): PaymentRow {
  const { id, dueAt, scaStatus: sca, failedAttempts: failed } = life;
  const had = knownOf(life, rowOf(books, id).had);
  life.known = had.length;
  const status = had.at(-1) ?? life.status;
  return {
    id,
    status,
    had,
    ledger: life.authorisedAt === undefined ? [] : life.history.slice(2),
    due: dueAt?.getTime() ?? null,
    inOutbox: isWithTheBank({ ...life, status }),
    sca,
    failed,
  };
}

/** All of its statuses; while Drawbridge may be behind, those it has, if they are the first and none is gone. */
function knownOf({ history, known, behindUntil }: Life, had: PaymentRow["had"]): PaymentRow["had"] {
  const isBehind = had.length >= known && had.every((status, nth) => status === history[nth]);
  return behindUntil !== undefined && isBehind ? had : history;
}

const credited = ({ order }: Life) => convert(order.amount, EUR, aspspProfile).minorUnits;

const sum = (lives: readonly Life[], of: (life: Life) => bigint) =>
  lives.reduce((total, life) => total + of(life), 0n);

/** How far one payment has come, and on which way. */
type Position = Pick<Life, "history" | "dueAt">;

type Step = { readonly status: TransactionStatus; readonly dueAt: Date | undefined };

const { fundsWaitHours, fundsRetrySeconds, products } = aspspProfile.payments;

/** What one step of the bank makes of a payment that is due or submitted; the model as it is after it. */
function step(model: Model, nth: number): Model {
  const life = model.lives[nth];
  if (life === undefined) throw new Error("no such payment");
  const { status, dueAt } = next(life, model);
  const { dueAt: _, ...rest } = life;
  const stands = status === life.status;
  const history = stands ? life.history : [...life.history, status];
  const moved = { ...rest, status, history, ...(dueAt !== undefined && { dueAt }) };
  return { ...model, lives: model.lives.with(nth, moved) };
}

function next(life: Life, model: Model): Step {
  const { order, payee, debit, authorisedAt = model.now } = life;
  const { now, overdraft } = model;
  const { settlesAfterSeconds, reportsCredit } = products[order.product];
  switch (life.status) {
    case "ACTC":
      return isAccepted(model, life)
        ? { status: "ACCP", dueAt: now }
        : { status: "RJCT", dueAt: undefined };
    case "ACCP":
    case "PDNG": {
      const until = addTime(authorisedAt, fundsWaitHours, "hour");
      const soonest = Math.min(+addTime(now, fundsRetrySeconds, "second"), +until);
      if (balanceOf(model) + overdraft >= debit) {
        return { status: "ACSP", dueAt: addTime(now, settlesAfterSeconds, "second") };
      }
      if (order.rejectWithoutFunds || now >= until) return { status: "RJCT", dueAt: undefined };
      return { status: "PDNG", dueAt: new Date(soonest) };
    }
    case "ACSP":
      if (payee === "closed") return { status: "RJCT", dueAt: undefined };
      return { status: "ACSC", dueAt: reportsCredit ? now : undefined };
    case "ACSC":
      return { status: "ACCC", dueAt: undefined };
    default:
      throw new Error(`nothing is due of a payment that is ${life.status}`);
  }
}

type Explanation = { readonly model: Model; readonly steps: number };

/**
 * The order in which the bank may have taken its steps so that the payments came to stand like this;
 * undefined when there is none. Which payment is first is the bank's to choose; what a step does is not.
 */
export function explained(
  model: Model,
  wanted: readonly Position[],
  steps = 0,
  seen = new Set<string>(),
): Explanation | undefined {
  const standing = JSON.stringify(model.lives.map(position));
  if (standing === JSON.stringify(wanted.map(position))) return { model, steps };
  if (seen.has(standing)) return undefined;
  seen.add(standing);
  for (const [nth, { status, dueAt }] of model.lives.entries()) {
    const isDue = dueAt !== undefined && dueAt <= model.now;
    if (!isDue && status !== "ACTC") continue;
    const taken = status === "ACTC" ? 0 : 1;
    const found = explained(step(model, nth), wanted, steps + taken, seen);
    if (found !== undefined) return found;
  }
  return undefined;
}

const position = ({ history, dueAt }: Position) => [history, dueAt ?? null];

/** Small enough to be reached in a few commands: in cents of a euro. */
const DAY_LIMIT = 100_000n;

export type Payee = "inside" | "closed" | "outside";

/** What should be true of one payment, in the words of the specification and without a database. */
export type Life = {
  readonly id: PaymentId;
  readonly authorisationId: AuthorisationId;
  readonly requestId: RequestId;
  readonly answer: StoredAnswer;
  readonly order: PaymentOrder;
  readonly payee: Payee;
  /** What leaves the account, fee included, and what of it counts against the limits. */
  readonly debit: bigint;
  readonly limited: bigint;
  readonly createdAt: Date;
  /** The last of its history, the ledger's included. */
  status: TransactionStatus;
  history: readonly TransactionStatus[];
  scaStatus: ScaStatus;
  failedAttempts: number;
  codesSent: number;
  code?: { readonly text: string; readonly expiresAt: Date };
  authorisedAt?: Date;
  /** When the ledger looks at it again; absent while nothing is due. */
  dueAt?: Date;
  /** As many of its statuses as Drawbridge has been seen to know. */
  known: number;
  /** Until then Drawbridge may know less than the ledger: a server was killed, or several ran at once. */
  behindUntil?: Date;
};

export type Model = {
  now: Date;
  readonly lives: Life[];
  /** On the debtor's account before any payment, and what has come in since. */
  credited: bigint;
  readonly overdraft: bigint;
  /** The most in one payment that the PSU has set; null: as much as the bank allows. */
  readonly ownLimit: bigint | null;
};

const { sca } = aspspProfile;

export const isOpen = ({ scaStatus }: Life) => scaStatus !== "finalised" && scaStatus !== "failed";
export const mayTry = (life: Life) => isOpen(life) && life.failedAttempts < sca.failedAttemptsMax;
export const codeRuns = ({ code }: Life, now: Date) => code !== undefined && now < code.expiresAt;
const dayOf = (instant: Date): IsoDate => dayIn(aspspProfile.timeZone, instant);

const RESERVED: ReadonlySet<TransactionStatus> = new Set(["ACSP", "ACSC", "ACCC"]);

const isDebited = ({ status }: Pick<Life, "status">) => RESERVED.has(status);

/** Everything there is on the debtor's account. */
function balanceOf({ credited, lives }: Model): bigint {
  return lives.filter(isDebited).reduce((left, { debit }) => left - debit, credited);
}

/** What the PSU's payments of a day take of its limit; a rejected one gives back what it took. */
function usedOn({ lives }: Pick<Model, "lives">, day: IsoDate): bigint {
  return lives
    .filter((life) => wasAccepted(life) && dayOf(life.authorisedAt) === day)
    .filter(({ status }) => status !== "RJCT")
    .reduce((sum, { limited }) => sum + limited, 0n);
}

function wasAccepted(life: Life): life is Life & { readonly authorisedAt: Date } {
  return life.history.includes("ACCP");
}

/** Its next step is the core bank's. */
export function isWithTheBank({ status, order: { product } }: Life): boolean {
  if (status === "ACSC") return aspspProfile.payments.products[product].reportsCredit;
  return status !== "RCVD" && status !== "RJCT" && status !== "ACCC";
}

function become(life: Life, ...statuses: readonly TransactionStatus[]): void {
  life.history = [...life.history, ...statuses];
  life.status = statuses.at(-1) ?? life.status;
}

/** The PSU's no, the last wrong code, or the end of the window. */
export function fail(life: Life): void {
  if (!isOpen(life)) return;
  life.scaStatus = "failed";
  become(life, "RJCT");
}

/** The PSU's yes. */
export function authorise({ now }: Model, life: Life): void {
  life.scaStatus = "finalised";
  life.authorisedAt = now;
  become(life, "ACTC");
}

/** The core bank refuses it all the same when a limit would be passed. */
function isAccepted(model: Model, { limited, authorisedAt = model.now }: Life): boolean {
  const { ownLimit } = model;
  const used = usedOn(model, dayOf(authorisedAt));
  return (ownLimit === null || limited <= ownLimit) && used + limited <= DAY_LIMIT;
}

/** The PSU's yes, submitted at once. */
export function confirmed(model: Model, life: Life): "finalised" | "rejected" {
  const accepted = isAccepted(model, { ...life, authorisedAt: model.now });
  authorise(model, life);
  become(life, accepted ? "ACCP" : "RJCT");
  if (!accepted) return "rejected";
  life.dueAt = model.now;
  return "finalised";
}

/** A server was killed, and what it had claimed is claimed again after a pause at the latest. */
export function fallBehind({ lives, now }: Model, seconds: number): void {
  for (const life of lives.filter(isWithTheBank)) {
    const until = addTime(now, seconds, "second");
    if (life.behindUntil === undefined || life.behindUntil < until) life.behindUntil = until;
  }
}

export function passTime(model: Model, seconds: number): void {
  model.now = addTime(model.now, seconds, "second");
  for (const life of model.lives) {
    if (model.now >= addTime(life.createdAt, sca.windowMinutes, "minute")) fail(life);
  }
}

type Terms = Pick<Model, "credited" | "overdraft" | "ownLimit">;
export type World = Awaited<ReturnType<typeof aWorld>>;

/** The rules are the bank's own; only the day's limit is near enough to be reached. */
const profile: AspspProfile = {
  ...aspspProfile,
  payments: { ...aspspProfile.payments, psuDayLimit: money("EUR", DAY_LIMIT) },
};

let numbers = 0;

/**
 * A TPP, a PSU with an account in euro, and whom it pays, apart from those of every other run. The use
 * cases are the domain's and the stores the real ones; passwords, codes and the phone are in memory.
 */
export async function aWorld(database: Lane, terms: Terms) {
  const { sql, db } = database;
  const tpp: Tpp = { ...exampleTpp, id: `PSDRO-NBR-${crypto.randomUUID()}` as TppId };
  const psuId = crypto.randomUUID() as string as PsuId;
  const debtor = anAccount();
  const payees: Readonly<Record<Payee, Account>> = {
    inside: anAccount(),
    closed: anAccount(),
    outside: { id: crypto.randomUUID() as string as AccountId, iban: elsewhere },
  };
  await sql.unsafe(rowsOf({ tpp, psuId, debtor, payees, ...terms }));
  const { bank, ports: inMemory } = inMemoryBank();
  const portsOver = (over: Database) => ({
    ...inMemory,
    profile,
    payments: paymentStore(over),
    authorisations: authorisationStore(over),
    coreBank: ledger(over, profile),
    events: eventLog(over),
    paymentExecution: paymentExecution(over, profile),
    // The count over all authorisations of a PSU has its own tests.
    psuAttempts: {
      take: async () => ({ attemptsLeft: Number.POSITIVE_INFINITY }),
      block: async () => undefined,
      giveBack: async () => undefined,
      isBlockedForGood: async () => false,
      blockOf: async () => "none" as const,
      rename: async () => undefined,
      forget: async () => true,
      unlock: async () => true,
    },
  });
  return { database, tpp, psuId, debtor, payees, bank, ports: portsOver(db), portsOver };
}

const elsewhere = "DE89370400440532013000" as string as Iban;

function anAccount(): Account {
  numbers += 1;
  const iban = `RO00DRWB${String(numbers).padStart(16, "0")}` as string as Iban;
  return { id: crypto.randomUUID() as string as AccountId, iban };
}

/** Money from another bank: both sides, booked, in one statement. */
export async function credit(
  { database, debtor }: Pick<World, "database" | "debtor">,
  amount: bigint,
) {
  await database.sql.unsafe(creditOf(debtor, amount));
}

type Account = { readonly id: AccountId; readonly iban: Iban };

type Parties = Pick<Model, "credited" | "overdraft" | "ownLimit"> & {
  readonly tpp: Tpp;
  readonly psuId: PsuId;
  readonly debtor: Account;
  readonly payees: Readonly<Record<Payee, Account>>;
};

/** A run's rows as one text, which is one round trip; what is put into it is made here. */
function rowsOf({ tpp, psuId, debtor, payees, ...terms }: Parties): string {
  const { credited, overdraft, ownLimit } = terms;
  const common = "'EUR', 'DRWBROBU', 'Account', 'Account', 'current', 'PRIV', true, 0";
  return `
    insert into tpp values ('${tpp.id}', 'TPP', 'NBR', 'RO-NBR', '{PSP_PI}', now());
    insert into customer (id, name, payment_limit_minor) values ('${psuId}', 'Ana', ${ownLimit});
    insert into ledger_account
      (id, iban, status, overdraft_minor, currency, bic, name, product, kind, usage, is_default, position)
    values ('${debtor.id}', '${debtor.iban}', 'enabled', ${overdraft}, ${common}),
      ('${payees.inside.id}', '${payees.inside.iban}', 'enabled', 0, ${common}),
      ('${payees.closed.id}', '${payees.closed.iban}', 'deleted', 0, ${common});
    insert into account_owner values ('${debtor.id}', '${psuId}', 'owner');
    ${credited > 0n ? creditOf(debtor, credited) : ""}
    -- What a run that failed has left is none of this one's.
    update ledger_payment set due_at = null where due_at is not null;
    delete from payment_submission`;
}

function creditOf({ id }: Account, amount: bigint): string {
  const day = "'2026-11-01'";
  return `insert into ledger_entry
      (id, transfer_id, account_id, amount_minor, status, entered_on, booked_on, bank_transaction_code, changed_at)
    select gen_random_uuid(), '${crypto.randomUUID()}', side.id, side.amount, 'booked', ${day}, ${day}, 'PMNT-RCDT-ESCT', now()
    from (select '${id}'::uuid as id, ${amount} as amount union all
      select id, -${amount} from ledger_account where kind = 'internal' and currency = 'EUR') as side;`;
}

/**
 * One payment: `had` is each status it has had at Drawbridge, and `ledger` at the ledger, in the order of time;
 * `due` is when the ledger looks at it again, in milliseconds.
 */
type PaymentRow = {
  readonly id: string;
  readonly status: TransactionStatus;
  readonly had: readonly TransactionStatus[];
  readonly ledger: readonly TransactionStatus[];
  readonly due: number | null;
  readonly inOutbox: boolean;
  readonly sca: ScaStatus;
  readonly failed: number;
};

/** Everything there is, and of it what is pending; minor units as text. */
type Total = { readonly total: string; readonly pending: string };

/** All that is kept of one run. */
export type Books = {
  readonly payments: readonly PaymentRow[];
  readonly debtor: Total;
  readonly inside: Total;
  readonly closed: Total;
  /** Transfers with a side in this run whose sides of a currency do not add up to zero. */
  readonly unbalanced: readonly string[];
  /** What was taken of the PSU's limit of each day. */
  readonly days: readonly { readonly day: string; readonly used: string }[];
};

/** A status that was left at the instant in which it was entered comes first. */
const ORDER = "{RCVD,ACTC,ACCP,PDNG,ACSP,ACSC,ACCC,RJCT}";

/** Everything in one statement, so that it is of one instant. */
export async function booksOf({ database, tpp, psuId, debtor, payees }: World): Promise<Books> {
  const { sql } = database;
  const mine = `{${[debtor.id, payees.inside.id, payees.closed.id].join()}}`;
  const [row] = await sql<{ books: Books }[]>`
    with "side" as (
      select account_id, sum(amount_minor) as total, coalesce(sum(amount_minor) filter (where status = 'pending'), 0) as pending
      from ledger_entry where account_id = any(${mine}::uuid[]) group by account_id
    ), "total" as (
      select m.id, json_build_object('total', coalesce(total, 0)::text, 'pending', coalesce(pending, 0)::text) as is
      from unnest(${mine}::uuid[]) as m (id) left join "side" on account_id = m.id
    ) select json_build_object(
      'payments', coalesce((
        select json_agg(json_build_object('id', p.id, 'status', s.status,
          'had', (
            select json_agg(c.status order by c.at, array_position(${ORDER}::text[], c.status))
            from payment_status_change c where c.payment_id = p.id),
          'ledger', coalesce((
            select json_agg(c.status order by c.at, array_position(${ORDER}::text[], c.status))
            from ledger_payment_status c where c.payment_id = p.id), '[]'),
          'due', (select round(extract(epoch from l.due_at) * 1000) from ledger_payment l where l.id = p.id),
          'inOutbox', exists (select from payment_submission o where o.payment_id = p.id),
          'sca', a.sca_status, 'failed', a.failed_attempts) order by p.id)
        from payment p join payment_state s on s.payment_id = p.id
        join authorisation a on a.id = p.authorisation_id where p.tpp_id = ${tpp.id}), '[]'),
      'debtor', (select "is" from "total" where id = ${debtor.id}),
      'inside', (select "is" from "total" where id = ${payees.inside.id}),
      'closed', (select "is" from "total" where id = ${payees.closed.id}),
      'unbalanced', coalesce((
        select json_agg(u.transfer_id) from (
          select e.transfer_id from ledger_entry e join ledger_account l on l.id = e.account_id
          where e.transfer_id in (select transfer_id from ledger_entry where account_id = any(${mine}::uuid[]))
          group by e.transfer_id, l.currency having sum(e.amount_minor) <> 0) u), '[]'),
      'days', coalesce((
        select json_agg(json_build_object('day', d.day, 'used', d.used_minor::text) order by d.day)
        from payment_limit_day d where d.psu_id = ${psuId}), '[]')
    ) as books`;
  if (row === undefined) throw new Error("no row");
  return row.books;
}

export function rowOf({ payments }: Books, id: string): PaymentRow {
  const row = payments.find((payment) => payment.id === id);
  if (row === undefined) throw new Error("an acknowledged payment is lost");
  return row;
}

export type Lane = TestDatabase;

export const EUR = "EUR" as string as Currency;
const RON = "RON" as string as Currency;

/**
 * A database for many runs, one after the other, with the bank's own accounts for the rest of the world.
 * Nothing waits for the disk, because a cut is the server's end and not the database's.
 */
export async function aLane(): Promise<Lane> {
  const database = await testDatabase();
  const { sql, db, url } = database;
  await clearingAccounts(db, [EUR, RON], profile);
  const [{ name } = { name: "" }] = await sql<
    { name: string }[]
  >`select current_database() as name`;
  await sql`alter database ${sql(name)} set synchronous_commit to off`;
  // What is planned while the tables are empty has to do when they are not.
  await sql`alter database ${sql(name)} set enable_seqscan to off`;
  const client = postgres(url, { ...clientOptions, max: 6 });
  const close = async () => {
    await client.end();
    await database.close();
  };
  return { ...database, db: unguarded(client, preparing), close };
}

/** Plans each statement once for a connection instead of each time: half the work of a hundred thousand. */
function preparing<Sql extends postgres.ISql>(sql: Sql): Sql {
  const unsafe: Sql["unsafe"] = (text, params) => sql.unsafe(text, params, { prepare: true });
  return new Proxy(sql, {
    get: (target, name) => (name === "unsafe" ? unsafe : Reflect.get(target, name)),
  });
}
