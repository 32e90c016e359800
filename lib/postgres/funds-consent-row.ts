import type { fundsConsent } from "@/drizzle/schema";
import type { FundsConsent } from "@/lib/domain/funds-confirmation/funds-consent";

type FundsConsentRow = Omit<typeof fundsConsent.$inferSelect, "endedAt">;

export function toFundsConsent(row: FundsConsentRow): FundsConsent {
  return {
    id: row.id,
    tppId: row.tppId,
    authorisationId: row.authorisationId,
    status: row.status,
    account:
      row.currency === null ? { iban: row.iban } : { iban: row.iban, currency: row.currency },
    ...(row.cardNumber !== null && { cardNumber: row.cardNumber }),
    ...(row.cardExpiryDate !== null && { cardExpiryDate: row.cardExpiryDate }),
    ...(row.cardInformation !== null && { cardInformation: row.cardInformation }),
    ...(row.registrationInformation !== null && {
      registrationInformation: row.registrationInformation,
    }),
    createdAt: row.createdAt,
    ...(row.psuId !== null && { psuId: row.psuId }),
    ...(row.accountId !== null && { accountId: row.accountId }),
    ...(row.authorisedAt !== null && { authorisedAt: row.authorisedAt }),
  };
}

export function fromFundsConsent(consent: FundsConsent): typeof fundsConsent.$inferInsert {
  const { account, ...columns } = consent;
  return { ...columns, iban: account.iban, currency: account.currency };
}
