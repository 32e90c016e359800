import type { fundsConsent } from "@/drizzle/schema/drawbridge";
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
    cardNumber: row.cardNumber ?? undefined,
    cardExpiryDate: row.cardExpiryDate ?? undefined,
    cardInformation: row.cardInformation ?? undefined,
    registrationInformation: row.registrationInformation ?? undefined,
    createdAt: row.createdAt,
    psuId: row.psuId ?? undefined,
    accountId: row.accountId ?? undefined,
    authorisedAt: row.authorisedAt ?? undefined,
  };
}

export function fromFundsConsent(consent: FundsConsent): typeof fundsConsent.$inferInsert {
  const { account, ...columns } = consent;
  return { ...columns, iban: account.iban, currency: account.currency };
}
