import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import {
  accountConsent,
  fundsConsent,
  oidcPayload,
  tpp,
  tppBlock,
} from "@/drizzle/schema/drawbridge";
import type {
  Named,
  NamedConsent,
  RequestContext,
  RequestContexts,
} from "@/lib/domain/request-context";
import { isBlockInForce } from "@/lib/domain/tpp";
import type { Clock } from "@/lib/domain/values";
import type { Database } from "./client";
import { grantsOf, toConsent } from "./consents";
import { toFundsConsent } from "./funds";
import { movedTime } from "./sandbox";
import { toOrder, toTpp } from "./tpps";

/**
 * One statement for each request, which has to name its TPP to be looked for; prepared once for each
 * connection. Without a clock the time is the sandbox's, which is read with the rest; with one, a stranger costs no
 * statement.
 */
export function requestContexts(db: Database, clock: Clock | undefined): RequestContexts {
  const moment = clock === undefined ? movedTime : sql<null>`null`;
  const ofTpp = arrivalOfTpp(db, moment);
  const ofConsent = arrivalWithConsent(db, moment);
  const ofFundsConsent = arrivalWithFundsConsent(db, moment);
  const read = async ({ tppId, consentId, fundsConsentId, token }: Named) => {
    const tokens = { token: token?.hash ?? null, grant: token?.grantHash ?? null };
    if (tppId !== undefined && consentId !== undefined) {
      return ofConsent.execute({ tppId, consentId, ...tokens });
    }
    if (tppId !== undefined && fundsConsentId !== undefined) {
      return ofFundsConsent.execute({ tppId, consentId: fundsConsentId, ...tokens });
    }
    return ofTpp.execute({ tppId: tppId ?? null, ...tokens });
  };
  const look = async (named: Named): Promise<RequestContext> => {
    const [row] = await read(named);
    if (row === undefined) throw new Error("a row without a condition is missing");
    const now = row.now === null ? await machineTime() : new Date(row.now);
    return toArrival(row, named.tppId, now);
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

function arrivalWithConsent(db: Database, now: SQL<number | null>) {
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
    })
    .from(nothing)
    .leftJoin(tpp, eq(tpp.id, named))
    .leftJoin(tppBlock, isItsOrder)
    .leftJoin(accountConsent, isNamed)
    .prepare("arrival_with_consent");
}

function arrivalWithFundsConsent(db: Database, now: SQL<number | null>) {
  const isNamed = and(
    eq(fundsConsent.id, sql.placeholder("consentId")),
    eq(fundsConsent.tppId, named),
  );
  return db
    .select({ now, tokenLives, tpp, order: tppBlock, fundsConsent })
    .from(nothing)
    .leftJoin(tpp, eq(tpp.id, named))
    .leftJoin(tppBlock, isItsOrder)
    .leftJoin(fundsConsent, isNamed)
    .prepare("arrival_with_funds_consent");
}

type Row<Statement extends (...args: never[]) => { readonly execute: () => Promise<unknown[]> }> =
  Awaited<ReturnType<ReturnType<Statement>["execute"]>>[number];
type Found = Row<typeof arrivalOfTpp>;
type FoundConsent = Row<typeof arrivalWithConsent>;
type FoundFundsConsent = Row<typeof arrivalWithFundsConsent>;

function toArrival(
  row: Found | FoundConsent | FoundFundsConsent,
  tppId: RequestContext["tppId"],
  now: Date,
): RequestContext {
  const order = row.order === null ? undefined : toOrder(row.order);
  return {
    now,
    tppId,
    tokenLives: row.tokenLives,
    tpp: row.tpp === null ? undefined : toTpp(row.tpp),
    order: order !== undefined && isBlockInForce(order, now) ? order : undefined,
    named: "consent" in row ? toNamed(row) : undefined,
    ...("fundsConsent" in row &&
      row.fundsConsent !== null && { fundsConsent: toFundsConsent(row.fundsConsent) }),
  };
}

function toNamed({ consent, grants }: FoundConsent): NamedConsent | undefined {
  return consent === null ? undefined : { consent: toConsent(consent, grants) };
}
