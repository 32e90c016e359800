import { sql } from "drizzle-orm";
import { accessLog, fundsConsent, ledgerAccount } from "@/drizzle/schema";
import type { FundsQuestion } from "@/lib/domain/funds-confirmation/funds-check";

const asked = (name: string) => sql.placeholder(name);

/** The placeholders below, by their values. */
export function logValues({ asked: { iban, currency, cardNumber, convertibleTo } }: FundsQuestion) {
  return {
    askedIban: iban,
    askedCurrency: currency ?? null,
    askedCardNumber: cardNumber ?? null,
    convertibleTo: convertibleTo.join(","),
  };
}

/**
 * The line of the access log, in the same statement as the check that was `taken`: a card's holder waits
 * at the till. What will be refused for its account, card or currency is no answer and has no line; a
 * property holds these conditions to the domain's.
 */
export function logFundsCheck() {
  const consent = fundsConsent;
  const account = ledgerAccount;
  const open = sql`coalesce(${consent.currency}, ${account.currency}, ${asked("askedCurrency")}::text)`;
  return sql`
    insert into ${accessLog} (consent_id, tpp_id, what, account_id, at, attended)
    select ${consent.id}, ${consent.tppId}, 'funds-check', ${consent.accountId}::text,
      ${asked("now")}::timestamptz, false
    from taken
    join ${consent} on ${consent.id} = taken.consent_id
    left join ${account} on ${account.id} = ${consent.accountId}
    where ${consent.iban} = ${asked("askedIban")}::text
      and coalesce(${asked("askedCurrency")}::text, ${open}) is not distinct from ${open}
      and (${asked("askedCardNumber")}::text is null or ${consent.cardNumber} is null
        or ${consent.cardNumber} = ${asked("askedCardNumber")}::text)
      and (${account.status} is distinct from 'enabled'
        or ${account.currency} = any(string_to_array(${asked("convertibleTo")}::text, ',')))`;
}
