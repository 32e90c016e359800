import { hash, verify } from "@node-rs/argon2";
import { eq } from "drizzle-orm";
import { psu } from "@/drizzle/schema/ledger/psus";
import { meantUserId, type Psu, type PsuDirectory } from "@/lib/domain/psu";
import type { TppId } from "@/lib/domain/values";
import type { LedgerReader, LedgerTransaction } from "./database";

/** User IDs are ASCII; the shape also keeps out what PostgreSQL cannot store, such as U+0000. */
const USER_ID = /^[a-z0-9._-]{1,64}$/;

/** The PSUs who sign in with a password of this bank. */
export function psuDirectory(db: LedgerReader): PsuDirectory {
  return {
    verifyPassword: async (userId, password, tppId) => {
      const found = await findByUserId(db, userId);
      // To another TPP a namespace's PSU is as unknown as any other name.
      const isForTpp = tppId === undefined || found?.tppId === null || found?.tppId === tppId;
      const known = isForTpp ? found : undefined;
      // The decoy, so that time does not tell who is known; the answer is no even if it should match.
      const matches = await verify(known?.passwordHash ?? decoyHash, password);
      return matches && known !== undefined ? toPsu(known) : undefined;
    },

    findByUserId: findPsuByUserId(db),

    find: async (id) => {
      const [known] = await db.select().from(psu).where(eq(psu.id, id));
      return known && toPsu(known);
    },
  };
}

/** Shows whether a user ID exists, so no answer to a sign-in may wait for it. */
export function findPsuByUserId(db: LedgerReader): (userId: string) => Promise<Psu | undefined> {
  return async (userId) => {
    const known = await findByUserId(db, userId);
    return known && toPsu(known);
  };
}

/** Those whose id or user ID is there stay as they are. */
export async function enterPsus(
  db: Pick<LedgerTransaction, "insert">,
  psus: readonly (Psu & { readonly password: string; readonly tppId?: TppId })[],
): Promise<void> {
  const rows = psus.map(async ({ password, ...known }) => {
    return { ...known, passwordHash: await hash(password, costs) };
  });
  await db
    .insert(psu)
    .values(await Promise.all(rows))
    .onConflictDoNothing();
}

type Row = typeof psu.$inferSelect;

async function findByUserId(db: LedgerReader, typed: string): Promise<Row | undefined> {
  const userId = meantUserId(typed);
  if (!USER_ID.test(userId)) return undefined;
  const [known] = await db.select().from(psu).where(eq(psu.userId, userId));
  return known;
}

function toPsu({ id, userId, name }: Row): Psu {
  return { id, userId, name };
}

/** argon2id, its default here, with the least costs that OWASP names: 19 MiB, 2 passes, 1 lane. */
const costs = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** The hash of a random text that nobody kept, made with these costs. */
const decoyHash =
  "$argon2id$v=19$m=19456,t=2,p=1$z5g1Mmt7kzuJoTu474JVQg$LUdyyUx8BM+H2TRE6iacmSMz8xxGaAj2EuX7HlYoCAc";
