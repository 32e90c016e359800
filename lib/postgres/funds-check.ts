import { and, eq, gte, isNotNull, isNull, not, or, sql } from "drizzle-orm";
import {
  accountFunds,
  accountOwner,
  fundsCheckBudget,
  fundsConsent,
  ledgerAccount,
} from "@/drizzle/schema";
import type {
  FundsCheck,
  FundsLook,
  FundsQuestion,
} from "@/lib/domain/funds-confirmation/funds-check";
import { isUuid } from "@/lib/domain/identifiers";
import { checksLeft, isSpent, takeCheck } from "./checks-left";
import type { Database } from "./client";
import { toFundsConsent } from "./funds-consent-row";
import { logFundsCheck, logValues } from "./log-funds-check";

export function fundsCheck(db: Database): FundsCheck {
  const statement = lookStatement(db);
  return {
    look: async (question) => {
      if (!isUuid(question.consentId)) return undefined;
      const { consentId, tppId, today, checksSavedMax, secondsPerCheck } = question;
      const [row] = await statement.execute({
        consentId,
        tppId,
        now: question.now.toISOString(),
        today,
        checksSavedMax,
        secondsPerCheck,
        ...logValues(question),
      });
      return row && toLook(row, question);
    },
  };
}

const asked = (name: keyof FundsQuestion) => sql.placeholder(name);
const rate = {
  now: asked("now"),
  checksSavedMax: asked("checksSavedMax"),
  secondsPerCheck: asked("secondsPerCheck"),
};
const isAskedFor = and(
  eq(fundsConsent.id, asked("consentId")),
  eq(fundsConsent.tppId, asked("tppId")),
);

/**
 * The consent, one check taken from those it has saved up and logged, and its account; prepared once
 * for each connection. Among checks that come together the budget's row decides, and for one that is not
 * admitted nothing is summed up.
 */
function lookStatement(db: Database) {
  const taken = db.$with("taken").as(takenCheck(db));
  const logged = db.$with("logged", {}).as(logFundsCheck());
  const { customerId, accountId: owned } = accountOwner;
  const isPsus = sql`exists (select from ${accountOwner}
    where ${owned} = ${ledgerAccount.id} and ${customerId}::text = ${fundsConsent.psuId})`;
  const isPaymentAccount = eq(ledgerAccount.kind, "current");
  return db
    .with(taken, logged)
    .select({
      consent: fundsConsent,
      left: taken.checksLeft,
      leftBefore: sql<number | null>`${checksLeft(rate)}`.as("left_before"),
      currency: ledgerAccount.currency,
      status: ledgerAccount.status,
      availableMinor: accountFunds.availableMinor,
    })
    .from(fundsConsent)
    .leftJoin(taken, sql`true`)
    .leftJoin(fundsCheckBudget, eq(fundsCheckBudget.consentId, fundsConsent.id))
    .leftJoin(
      ledgerAccount,
      and(eq(ledgerAccount.id, fundsConsent.accountId), isPaymentAccount, isPsus),
    )
    .leftJoin(
      accountFunds,
      and(eq(accountFunds.accountId, ledgerAccount.id), isNotNull(taken.checksLeft)),
    )
    .where(isAskedFor)
    .prepare("funds_check");
}

/**
 * One check less, or no row: only a consent that is valid today has any. Who has visibly used them up
 * is turned away without a write or a lock.
 */
function takenCheck(db: Database) {
  const lasts = or(
    isNull(fundsConsent.cardExpiryDate),
    gte(fundsConsent.cardExpiryDate, asked("today")),
  );
  const spent = sql`exists (select from ${fundsCheckBudget}
    where ${fundsCheckBudget.consentId} = ${fundsConsent.id} and ${isSpent(rate)})`;
  return db
    .insert(fundsCheckBudget)
    .select((query) =>
      query
        .select({
          consentId: fundsConsent.id,
          checksLeft: sql<number>`${rate.checksSavedMax}::float8 - 1`.as("checks_left"),
          at: sql<Date>`${rate.now}::timestamptz`.as("at"),
        })
        .from(fundsConsent)
        .where(and(isAskedFor, eq(fundsConsent.status, "valid"), lasts, not(spent))),
    )
    .onConflictDoUpdate(takeCheck(rate))
    .returning({ consentId: fundsCheckBudget.consentId, checksLeft: fundsCheckBudget.checksLeft });
}

type Row = Awaited<ReturnType<ReturnType<typeof lookStatement>["execute"]>>[number];

function toLook(row: Row, question: FundsQuestion): FundsLook {
  return {
    consent: toFundsConsent(row.consent),
    admitted: row.left !== null,
    retryAfterSeconds: waitFor(row, question),
    account: toAccount(row),
  };
}

function toAccount({ currency, status, availableMinor }: Row): FundsLook["account"] {
  if (currency === null || status === null) return undefined;
  const available = availableMinor === null ? undefined : { currency, minorUnits: availableMinor };
  return { currency, status, available };
}

/**
 * Rounded up. The row is seen as it was before this check: where others came in between, it may have
 * had one left and has none now.
 */
function waitFor({ left, leftBefore }: Row, { secondsPerCheck }: FundsQuestion): number {
  if (left !== null) return left >= 1 ? 0 : Math.ceil((1 - left) * secondsPerCheck);
  const missing = 1 - Math.min(leftBefore ?? 0, 1);
  return Math.max(1, Math.ceil(missing * secondsPerCheck));
}
