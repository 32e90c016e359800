import { eq } from "drizzle-orm";
import { isUuid } from "@/lib/domain/identifiers";
import type { Psu, PsuDirectory } from "@/lib/domain/sca/psu-directory";
import { meantUserId } from "@/lib/domain/sca/user-id";
import { customer } from "../../../drizzle/schema/ledger/customer";
import type { LedgerReader } from "./database";
import { passwordMatches } from "./password";

/** User IDs are ASCII; the shape also keeps out what PostgreSQL cannot store, such as U+0000. */
const USER_ID = /^[a-z0-9._-]{1,64}$/;

/** The customers of the ledger who can sign in: an organisation is found by nobody. */
export function psuDirectory(database: LedgerReader): PsuDirectory {
  return {
    verifyPassword: async (userId, password) => {
      const known = await findCustomer(database, userId);
      const matches = await passwordMatches(password, known?.passwordHash);
      return matches ? toPsu(known) : undefined;
    },

    findByUserId: findPsuByUserId(database),

    find: async (id) => {
      if (!isUuid(id)) return undefined;
      const [known] = await database.select().from(customer).where(eq(customer.id, id));
      return toPsu(known);
    },
  };
}

/** Tells whether a user ID exists, so no answer to a sign-in may wait for it. */
export function findPsuByUserId(
  database: LedgerReader,
): (userId: string) => Promise<Psu | undefined> {
  return async (userId) => toPsu(await findCustomer(database, userId));
}

type Customer = typeof customer.$inferSelect;

async function findCustomer(database: LedgerReader, typed: string): Promise<Customer | undefined> {
  const userId = meantUserId(typed);
  if (!USER_ID.test(userId)) return undefined;
  const [known] = await database.select().from(customer).where(eq(customer.userId, userId));
  return known;
}

/** An organisation has no user ID. */
function toPsu(known: Customer | undefined): Psu | undefined {
  if (known === undefined || known.userId === null) return undefined;
  return { id: known.id, userId: known.userId, name: known.name };
}
