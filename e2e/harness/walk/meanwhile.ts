import { eq, sql } from "drizzle-orm";
import { accountConsent } from "@/drizzle/schema/drawbridge";
import { disown } from "@/lib/core-bank/ledger/testing";
import type { ConsentId } from "@/lib/domain/values";
import type { People } from "./people";

/** No account is this customer's any more. */
export async function accountsGone({ db, idOf }: People, userId: string): Promise<void> {
  await disown(db, idOf(userId));
}

/** What no statement of the bank writes: whoever reads this consent meets a fault. */
export async function consentBroken({ db }: People, consentId: string): Promise<void> {
  const isIt = eq(accountConsent.id, consentId as ConsentId);
  await db.update(accountConsent).set({ access: sql`'{}'::jsonb` }).where(isIt);
}
