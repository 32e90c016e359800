import { and, eq, type SQL, sql } from "drizzle-orm";
import { payment } from "@/drizzle/schema/drawbridge";
import { isUuid } from "@/lib/domain/identifiers";
import type { PaymentStore } from "@/lib/domain/payment/payment-store";
import type { Database } from "./client";
import { initiatingPayments } from "./initiate-payment";
import { paymentRows, toPayment } from "./payment-row";
import { paymentOutbox } from "./payment-state";

/** An id that is no UUID names no payment: it is answered like any other unknown one. */
export function paymentStore(db: Database): PaymentStore {
  const one = (name: string, where: SQL | undefined) => {
    const statement = paymentRows(db, where).prepare(name);
    return async (id: string, given = {}) => {
      if (!isUuid(id)) return undefined;
      const [row] = await statement.execute({ id, ...given });
      return row && toPayment(row);
    };
  };
  const id = sql.placeholder("id");
  const isTpps = eq(payment.tppId, sql.placeholder("tppId"));
  const ofTpp = one("payment_of_tpp", and(eq(payment.id, id), isTpps));
  return {
    ...initiatingPayments(db),
    ...paymentOutbox(db),
    findOfTpp: (paymentId, tppId) => ofTpp(paymentId, { tppId }),
    findByAuthorisation: one("payment_of_authorisation", eq(payment.authorisationId, id)),
  };
}
