import { and, eq, gte, isNull, or, sql } from "drizzle-orm";
import { accessLog, fundsCheckBudget, fundsConsent } from "@/drizzle/schema/drawbridge";
import type { BankAccount } from "@/lib/domain/account-access/bank-account";
import type {
  FundsCheck,
  FundsLook,
  FundsQuestion,
} from "@/lib/domain/funds-confirmation/funds-check";
import { isUuid } from "@/lib/domain/identifiers";
import type { Currency } from "@/lib/domain/money";
import { checksLeft, isSpent, takeCheck } from "./checks-left";
import type { Database } from "./client";
import { toFundsConsent } from "./funds-consent-row";
import { askedQuestion, judgedQuestion, searchValues } from "./funds-search";

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
        ...searchValues(question),
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
 * The consent, one check taken from those it has saved up and logged, what its answer tells of the funds, and its
 * account; prepared once for each connection. Among checks that come together the budget's row decides and then
 * that of the search, always in this order, so that they wait for each other and never in a circle.
 */
function lookStatement(db: Database) {
  const lasts = or(
    isNull(fundsConsent.cardExpiryDate),
    gte(fundsConsent.cardExpiryDate, asked("today")),
  );
  const isOpen = and(eq(fundsConsent.status, "valid"), lasts);
  const question = db.$with("asked", {}).as(askedQuestion(isAskedFor, checksLeft(rate), isOpen));
  const taken = db.$with("taken").as(takenCheck(db));
  const judged = db.$with("judged", {}).as(judgedQuestion);
  const logged = db.$with("logged", {}).as(loggedAnswer);
  return db
    .with(question, taken, judged, logged)
    .select({
      consent: fundsConsent,
      left: taken.checksLeft,
      leftBefore: sql<number | null>`asked.left_before`.as("left_before"),
      available: sql<string | null>`asked.available`.as("available"),
      refusedSeconds: sql<number | null>`(select refused_seconds from judged)`.as(
        "refused_seconds",
      ),
      currency: sql<Currency | null>`asked.currency`.as("asked_currency"),
      status: sql<BankAccount["status"] | null>`asked.status`.as("asked_status"),
    })
    .from(fundsConsent)
    .innerJoin(sql`asked`, sql`true`)
    .leftJoin(taken, sql`true`)
    .where(isAskedFor)
    .prepare("funds_check");
}

/**
 * The line of the access log, in the same statement: a card's holder waits at the till. What is refused is no
 * answer and has no line.
 */
const loggedAnswer = sql`
  insert into ${accessLog} (consent_id, tpp_id, what, account_id, at, attended)
  select consent_id, tpp_id, 'funds-check', account_id::text, ${rate.now}::timestamptz, false
  from judged where refused_seconds is null`;

/**
 * One check less, or no row: only a consent that is valid today has any. Who has visibly used them up
 * is turned away without a write or a lock.
 */
function takenCheck(db: Database) {
  return db
    .insert(fundsCheckBudget)
    .select(sql`select consent_id, ${rate.checksSavedMax}::float8 - 1, ${rate.now}::timestamptz
      from asked where open and not ${isSpent(sql`coalesce(left_before, 1)`)}`)
    .onConflictDoUpdate(takeCheck(rate))
    .returning({ consentId: fundsCheckBudget.consentId, checksLeft: fundsCheckBudget.checksLeft });
}

type Row = Awaited<ReturnType<ReturnType<typeof lookStatement>["execute"]>>[number];

function toLook(row: Row, question: FundsQuestion): FundsLook {
  return {
    consent: toFundsConsent(row.consent),
    admitted: row.left !== null,
    retryAfterSeconds: waitFor(row, question),
    ...(row.refusedSeconds !== null && { searchRetrySeconds: row.refusedSeconds }),
    account: toAccount(row),
  };
}

function toAccount({ currency, status, left, available: shown }: Row): FundsLook["account"] {
  if (currency === null || status === null) return undefined;
  const minor = left === null ? null : shown;
  const available = minor === null ? undefined : { currency, minorUnits: BigInt(minor) };
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
