import type postgres from "postgres";

/** How many rows of each kind the grown bank has besides its own. */
export const GROWN = { entries: 1_000_000, consents: 100_000, tokens: 1_000_000 } as const;
export type Growth = { readonly [Kind in keyof typeof GROWN]: number };

/** The entries are spread over so many days back from today. */
const DAYS = 1_095;

type Copying = {
  readonly table: string;
  /** Names the row that is copied. */
  readonly where: string;
  readonly count: number;
  /** By column: SQL in which `n` is the number of the copy. */
  readonly changed: Readonly<Record<string, string>>;
};

/** The account whose entries are read, and the bank's own on the other side of each. */
const SIDES = [
  ["(select id from ledger_account where iban = 'RO06DRWB0001000000000101')", "-100"],
  ["(select id from ledger_account where kind = 'internal' and currency = 'RON')", "100"],
] as const;

/**
 * Years of a big bank, entered as a bank does it, triggers included: entries on one account, consents of
 * other PSUs with the same TPP, and tokens that have been used up and not yet removed.
 */
export async function grow(database: postgres.Sql, growth: Growth = GROWN): Promise<void> {
  await database.begin((tx) => enterEntries(tx, growth.entries));
  for (const copying of [...consents(growth.consents), tokens(growth.tokens)]) {
    await copy(database, copying);
  }
  await database.unsafe("vacuum analyze");
}

/**
 * Transfers that add up by how they are made: the triggers that only look whether they do, row by row at
 * the end of the transaction, would take minutes.
 */
async function enterEntries(tx: postgres.TransactionSql, count: number): Promise<void> {
  const checks = await tx<{ name: string }[]>`
    select tgname as name from pg_trigger
    where tgrelid = 'ledger_entry'::regclass and tgdeferrable and not tgisinternal`;
  for (const { name } of checks) {
    await tx.unsafe(`alter table ledger_entry disable trigger ${name}`);
  }
  for (const [account, amount] of SIDES) {
    await copy(tx, { ...entries(account, amount), count });
  }
  for (const { name } of checks) {
    await tx.unsafe(`alter table ledger_entry enable trigger ${name}`);
  }
}

function entries(account: string, amount: string): Omit<Copying, "count"> {
  const day = `current_date - (n % ${DAYS})::int`;
  return {
    table: "ledger_entry",
    where: `account_id = ${SIDES[0][0]} and status = 'booked'`,
    changed: {
      id: "gen_random_uuid()",
      transfer_id: "md5('bench entry ' || n)::uuid",
      account_id: account,
      amount_minor: amount,
      entered_on: day,
      booked_on: day,
      value_on: day,
      entry_reference: "'BENCH' || n",
    },
  };
}

function consents(count: number): readonly Copying[] {
  const consentId = "md5('bench consent ' || n)::uuid";
  const authorisationId = "md5('bench authorisation ' || n)::uuid";
  const psuId = "'bench ' || n";

  return [
    {
      table: "authorisation",
      where: "kind = 'AIS' and sca_status = 'finalised'",
      changed: {
        id: authorisationId,
        resource_id: consentId,
        request_id: "gen_random_uuid()",
        psu_id: psuId,
      },
      count,
    },
    {
      table: "account_consent",
      where: "status = 'valid'",
      changed: { id: consentId, authorisation_id: authorisationId, psu_id: psuId },
      count,
    },
    {
      table: "account_grant",
      where: "true",
      changed: { resource_id: "gen_random_uuid()", consent_id: consentId },
      count,
    },
  ];
}

function tokens(count: number): Copying {
  return {
    table: "oidc_payload",
    where: "model = 'RefreshToken'",
    changed: {
      id_hash: "md5('bench token ' || n)",
      grant_id: "md5('bench grant ' || n / 4)",
      account_id: "md5('bench authorisation ' || n / 8)::uuid::text",
      expires_at: "now() + interval '90 days'",
      consumed_at: "now()",
    },
    count,
  };
}

/** Throws when there is no row to copy. */
async function copy(
  database: postgres.Sql | postgres.TransactionSql,
  { table, where, changed, count: wanted }: Copying,
): Promise<void> {
  const columns = await database<{ name: string }[]>`
    select column_name as name from information_schema.columns
    where table_name = ${table} and is_generated = 'NEVER' and is_identity = 'NO'`;
  const names = columns.map(({ name }) => name);
  const values = names.map((name) => changed[name] ?? `one.${name}`);
  const { count } = await database.unsafe(`
    insert into ${table} (${names.join(", ")})
    select ${values.join(", ")}
    from (select * from ${table} where ${where} limit 1) one, generate_series(1, ${wanted}) n`);
  if (count !== wanted) throw new Error(`${table} has no row where ${where}`);
}
