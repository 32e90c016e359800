import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import {
  accountConsent,
  accountGrant,
  oidcPayload,
  tpp,
  tppBlock,
} from "@/drizzle/schema/drawbridge";
import { ledgerAccount } from "@/drizzle/schema/ledger";
import type { BankAccount } from "@/lib/domain/account-access/bank-account";
import type { Clock } from "@/lib/domain/clock";
import type { Arrival, Arrivals, Named, NamedConsent } from "@/lib/domain/tpp/arrival";
import { isInForce } from "@/lib/domain/tpp/stop-list";
import type { Database } from "./client";
import { grantsOf, toConsent } from "./consent-row";
import { movedTime } from "./sandbox-clock";
import { toOrder } from "./stop-list";
import { toTpp } from "./tpp-store";

/** What the statement asks of others. */
type Parts = {
  /** Undefined: the sandbox's, which is read with the rest. */
  readonly clock: Clock | undefined;
  /** The core bank's accounts that fit the condition, as one value in a statement of ours. */
  readonly accountsShown: (which: SQL) => SQL<readonly BankAccount[]>;
};

/**
 * One statement for each request, which has to name its TPP to be looked for; prepared once for each
 * connection. Where it is not needed for the time, a stranger costs none.
 */
export function arrivals(db: Database, { clock, accountsShown }: Parts): Arrivals {
  const moment = clock === undefined ? movedTime : sql<null>`null`;
  const ofTpp = arrivalOfTpp(db, moment);
  const ofConsent = arrivalWithConsent(db, moment, accountsShown);
  const look = async ({ tppId, consentId, resourceId, token }: Named): Promise<Arrival> => {
    const tokens = { token: token?.hash ?? null, grant: token?.grantHash ?? null };
    const [row] =
      tppId === undefined || consentId === undefined
        ? await ofTpp.execute({ tppId: tppId ?? null, ...tokens })
        : await ofConsent.execute({ tppId, consentId, resourceId: resourceId ?? null, ...tokens });
    if (row === undefined) throw new Error("a row without a condition is missing");
    return toArrival(row, tppId, row.now === null ? await machineTime() : new Date(row.now));
  };
  const machineTime = async () => {
    if (clock === undefined) throw new Error("the database did not say what time it is");
    return clock.now();
  };
  return {
    look: async (named) =>
      clock !== undefined && named.tppId === undefined
        ? { now: await clock.now(), tppId: undefined }
        : look(named),
  };
}

const nothing = sql`(values (1)) as arrival`;
const named = sql.placeholder("tppId");
/** At most one order of a TPP is not lifted, and the database tells the one that is over as well. */
const isItsOrder = and(eq(tppBlock.tppId, named), isNull(tppBlock.liftedAt));

const { model, idHash } = oidcPayload;
/**
 * Its grant is there, and it was not revoked by itself. False of a token that is not named. The grant's own
 * end is not asked for: no token outlives that, and a token says itself when it ends.
 */
const tokenLives = sql<boolean>`(exists (select from ${oidcPayload}
    where ${model} = 'Grant' and ${idHash} = ${sql.placeholder("grant")})
  and not exists (select from ${oidcPayload}
    where ${model} = 'RevokedAccessToken' and ${idHash} = ${sql.placeholder("token")}))`;

function arrivalOfTpp(db: Database, now: SQL<number | null>) {
  return db
    .select({ now, tokenLives, tpp, order: tppBlock })
    .from(nothing)
    .leftJoin(tpp, eq(tpp.id, named))
    .leftJoin(tppBlock, isItsOrder)
    .prepare("arrival");
}

function arrivalWithConsent(
  db: Database,
  now: SQL<number | null>,
  accountsShown: Parts["accountsShown"],
) {
  const isNamed = and(
    eq(accountConsent.id, sql.placeholder("consentId")),
    eq(accountConsent.tppId, named),
  );
  return db
    .select({
      now,
      tokenLives,
      tpp,
      order: tppBlock,
      consent: accountConsent,
      grants: grantsOf(accountConsent.id),
      accounts: accountsShown(sql`${ledgerAccount.id} = any(${accountsOfConsent})`),
    })
    .from(nothing)
    .leftJoin(tpp, eq(tpp.id, named))
    .leftJoin(tppBlock, isItsOrder)
    .leftJoin(accountConsent, isNamed)
    .prepare("arrival_with_consent");
}

/**
 * The core bank's ids are texts here; one that is no UUID is none of the ledger's, and the cast would fail. Without its
 * hexadecimal digits a UUID is four hyphens; a regular expression says the same at several times the price. Read
 * once, as an array.
 */
const accountsOfConsent = sql`array(
  select case when ${accountGrant.accountId} like '________-____-____-____-____________'
      and translate(${accountGrant.accountId}, '0123456789abcdef', '') = '----'
    then ${accountGrant.accountId}::uuid end
  from ${accountGrant} where ${accountGrant.consentId} = ${accountConsent.id}
    and ${accountGrant.resourceId} = coalesce(${sql.placeholder("resourceId")}, ${accountGrant.resourceId}))`;

type Found = Awaited<ReturnType<ReturnType<typeof arrivalOfTpp>["execute"]>>[number];
type FoundConsent = Awaited<ReturnType<ReturnType<typeof arrivalWithConsent>["execute"]>>[number];

function toArrival(row: Found | FoundConsent, tppId: Arrival["tppId"], now: Date): Arrival {
  const order = row.order === null ? undefined : toOrder(row.order);
  return {
    now,
    tppId,
    tokenLives: row.tokenLives,
    tpp: row.tpp === null ? undefined : toTpp(row.tpp),
    order: order !== undefined && isInForce(order, now) ? order : undefined,
    named: "consent" in row ? toNamed(row) : undefined,
  };
}

function toNamed({ consent, grants, accounts }: FoundConsent): NamedConsent | undefined {
  return consent === null ? undefined : { consent: toConsent(consent, grants), accounts };
}
