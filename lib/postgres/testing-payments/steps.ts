import { aspspProfile } from "@/lib/domain/aspsp-profile";
import { after } from "@/lib/domain/clock";
import type { TransactionStatus } from "@/lib/domain/payment/transaction-status";
import { balanceOf, isAccepted, type Life, type Model } from "./model";

/** How far one payment has come, and on which way. */
export type Position = Pick<Life, "history" | "dueAt">;

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
      const until = after(authorisedAt, fundsWaitHours, "hour");
      const soonest = Math.min(+after(now, fundsRetrySeconds, "second"), +until);
      if (balanceOf(model) + overdraft >= debit) {
        return { status: "ACSP", dueAt: after(now, settlesAfterSeconds, "second") };
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

export type Explanation = { readonly model: Model; readonly steps: number };

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
