import { hashPassword } from "@/lib/core-bank/ledger/password";
import type { PsuId } from "@/lib/domain/identifiers";
import type { customer } from "../../drizzle/schema/ledger/customer";

type DemoCustomer = {
  readonly userId?: string;
  readonly name: string;
  /** In cents of a euro. */
  readonly paymentLimitMinor?: bigint;
};

/** Who banks here. The company has no sign-in: Elena acts for it. */
export const demoCustomers = {
  ana: { userId: "ana", name: "Ana Popescu" },
  // EUR 1,000.00, so that a limit of one's own can be seen at work: the most he sends in one payment.
  mihai: { userId: "mihai", name: "Mihai Ionescu", paymentLimitMinor: 100_000n },
  elena: { userId: "elena", name: "Elena Popescu" },
  dan: { userId: "dan", name: "Dan Marinescu" },
  // Nobody's journeys are told with him: he may have passkeys.
  vlad: { userId: "vlad", name: "Vlad Stoica" },
  company: { name: "Popescu Grafic SRL" },
} as const satisfies Record<string, DemoCustomer>;

export type CustomerKey = keyof typeof demoCustomers;
export type CustomerIds = Readonly<Record<CustomerKey, PsuId>>;

/** Everybody may know these passwords. */
export const demoPasswordOf = (userId: string): string => `${userId}-sandbox`;

/** The passwords are kept as real ones are. */
export async function customerRows(
  ids: CustomerIds,
): Promise<readonly (typeof customer.$inferInsert)[]> {
  const keys = Object.keys(demoCustomers) as CustomerKey[];
  return Promise.all(
    keys.map(async (key) => {
      const person = demoCustomers[key];
      if (!("userId" in person)) return { id: ids[key], name: person.name };
      const passwordHash = await hashPassword(demoPasswordOf(person.userId));
      return { id: ids[key], ...person, passwordHash };
    }),
  );
}
