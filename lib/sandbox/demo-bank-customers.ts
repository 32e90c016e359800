import { hashPassword } from "@/lib/core-bank/ledger/password";
import type { PsuId } from "@/lib/domain/identifiers";
import type { customer } from "../../drizzle/schema/ledger-customer";

/** Who banks here. The company has no sign-in: Elena acts for it. */
export const demoCustomers = {
  ana: { userId: "ana", name: "Ana Popescu" },
  mihai: { userId: "mihai", name: "Mihai Ionescu" },
  elena: { userId: "elena", name: "Elena Popescu" },
  dan: { userId: "dan", name: "Dan Marinescu" },
  company: { name: "Popescu Grafic SRL" },
} as const satisfies Record<string, { readonly userId?: string; readonly name: string }>;

export type CustomerKey = keyof typeof demoCustomers;
export type CustomerIds = Readonly<Record<CustomerKey, PsuId>>;

/** Everybody may know these passwords; they are kept as real ones are. */
export async function customerRows(
  ids: CustomerIds,
): Promise<readonly (typeof customer.$inferInsert)[]> {
  const keys = Object.keys(demoCustomers) as CustomerKey[];
  return Promise.all(
    keys.map(async (key) => {
      const person = demoCustomers[key];
      if (!("userId" in person)) return { id: ids[key], name: person.name };
      const passwordHash = await hashPassword(`${person.userId}-sandbox`);
      return { id: ids[key], ...person, passwordHash };
    }),
  );
}
