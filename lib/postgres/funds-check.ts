import { and, eq, gte, isNull, or, sql } from "drizzle-orm";
import { accessLog, fundsCheckBudget, fundsConsent } from "@/drizzle/schema/drawbridge";
import type {
  FundsCheck,
  FundsQuestion,
  FundsVerdict,
} from "@/lib/domain/funds-confirmation/funds-check";
import { checksLeft, isSpent, takeCheck } from "./checks-left";
import type { Database } from "./client";
import { askedQuestion, judgedQuestion, searchValues } from "./funds-search";

export function fundsCheck(db: Database): FundsCheck {
  const statement = takeStatement(db);
  return {
    take: async (question) => {
      const { consentId, tppId, today, checksSavedMax, secondsPerCheck, answered } = question;
      const [row] = await statement.execute({
        ...{ consentId, tppId, today, checksSavedMax, secondsPerCheck, answered },
        now: question.now.toISOString(),
        ...searchValues(question),
      });
      return row && toVerdict(row, question);
    },
  };
}

const asked = (name: keyof FundsQuestion) => sql.placeholder(name);
const rate = {
  now: asked("now"),
  checksSavedMax: asked("checksSavedMax"),
  secondsPerCheck: asked("secondsPerCheck"),
};
const isOpen = and(
  eq(fundsConsent.id, asked("consentId")),
  eq(fundsConsent.tppId, asked("tppId")),
  eq(fundsConsent.status, "valid"),
  or(isNull(fundsConsent.cardExpiryDate), gte(fundsConsent.cardExpiryDate, asked("today"))),
);

/**
 * One check of the consent taken from those it has saved up and logged, and what its answer tells of the funds;
 * prepared once for each connection. Among checks that come together the budget's row decides and then that of the
 * search, always in this order, so that they wait for each other and never in a circle.
 */
function takeStatement(db: Database) {
  const question = db.$with("asked", {}).as(askedQuestion(isOpen, checksLeft(rate)));
  const taken = db.$with("taken").as(takenCheck(db));
  const judged = db.$with("judged", {}).as(judgedQuestion);
  const logged = db.$with("logged", {}).as(loggedAnswer);
  return db
    .with(question, taken, judged, logged)
    .select({
      left: taken.checksLeft,
      leftBefore: sql<number | null>`asked.left_before`.as("left_before"),
      refusedSeconds: sql<number | null>`(select refused_seconds from judged)`.as(
        "refused_seconds",
      ),
    })
    .from(sql`asked`)
    .leftJoin(taken, sql`true`)
    .prepare("funds_check");
}

/**
 * The line of the access log, in the same statement: a card's holder waits at the till. What is refused is no
 * answer and has no line.
 */
const loggedAnswer = sql`
  insert into ${accessLog} (consent_id, tpp_id, what, account_id, at, attended)
  select consent_id, tpp_id, 'funds-check', account_id, ${rate.now}::timestamptz, false
  from judged where refused_seconds is null`;

/** One check less, or no row. Who has visibly used them up is turned away without a write or a lock. */
function takenCheck(db: Database) {
  return db
    .insert(fundsCheckBudget)
    .select(sql`select consent_id, ${rate.checksSavedMax}::float8 - 1, ${rate.now}::timestamptz
      from asked where not ${isSpent(sql`coalesce(left_before, 1)`)}`)
    .onConflictDoUpdate(takeCheck(rate))
    .returning({ consentId: fundsCheckBudget.consentId, checksLeft: fundsCheckBudget.checksLeft });
}

type Row = Awaited<ReturnType<ReturnType<typeof takeStatement>["execute"]>>[number];

function toVerdict(row: Row, question: FundsQuestion): FundsVerdict {
  return {
    admitted: row.left !== null,
    retryAfterSeconds: waitFor(row, question),
    ...(row.refusedSeconds !== null && { searchRetrySeconds: row.refusedSeconds }),
  };
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
