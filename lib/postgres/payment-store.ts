import { and, eq } from "drizzle-orm";
import { payment } from "@/drizzle/schema";
import { isUuid } from "@/lib/domain/identifiers";
import type { PaymentStore } from "@/lib/domain/payment/payment-store";
import type { Database } from "./client";
import { firstAnswer, initiatePayment } from "./initiate-payment";
import { selectPayment } from "./payment-row";

/** An id that is no UUID names no payment: it is answered like any other unknown one. */
export function paymentStore(db: Database): PaymentStore {
  return {
    firstAnswer: (key) => firstAnswer(db, key),
    initiate: (initiation) => initiatePayment(db, initiation),
    findOfTpp: async (id, tppId) =>
      isUuid(id) ? selectPayment(db, and(eq(payment.id, id), eq(payment.tppId, tppId))) : undefined,
    findByAuthorisation: async (id) =>
      isUuid(id) ? selectPayment(db, eq(payment.authorisationId, id)) : undefined,
  };
}
