import { authorisation } from "@/drizzle/schema";
import type { Authorisation } from "@/lib/domain/sca/authorisation";
import type { Transaction } from "./atomically";
import { fromAuthorisation } from "./authorisation-row";

/** False when this TPP has started an authorisation of this kind with this request id before. */
export async function startAuthorisation(
  tx: Transaction,
  started: Authorisation,
): Promise<boolean> {
  const { kind, tppId, requestId } = authorisation;
  const rows = await tx
    .insert(authorisation)
    .values(fromAuthorisation(started))
    .onConflictDoNothing({ target: [kind, tppId, requestId] })
    .returning({ id: authorisation.id });
  return rows.length === 1;
}
