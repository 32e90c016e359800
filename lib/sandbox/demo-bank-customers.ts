import type { NewCustomer } from "@/lib/core-bank/ledger/enter-books";
import type { PsuId } from "@/lib/domain/identifiers";

type DemoCustomer = Pick<NewCustomer, "id" | "name" | "paymentLimitMinor"> & {
  readonly userId?: string;
};

/** The same in every sandbox, so that ledger and sign-in are filled apart. */
const idOf = (number: number) => `5eedba2c-0000-4000-8000-00000000000${number}` as string as PsuId;

/** Who banks here. The company has no sign-in: Elena acts for it. */
export const demoCustomers = {
  ana: { id: idOf(1), userId: "ana", name: "Ana Popescu" },
  // EUR 1,000.00, so that a limit of one's own can be seen at work: the most he sends in one payment.
  mihai: { id: idOf(2), userId: "mihai", name: "Mihai Ionescu", paymentLimitMinor: 100_000n },
  elena: { id: idOf(3), userId: "elena", name: "Elena Popescu" },
  dan: { id: idOf(4), userId: "dan", name: "Dan Marinescu" },
  // Nobody's journeys are told with him: he may have passkeys.
  vlad: { id: idOf(5), userId: "vlad", name: "Vlad Stoica" },
  company: { id: idOf(6), name: "Popescu Grafic SRL" },
} as const satisfies Record<string, DemoCustomer>;

export type CustomerKey = keyof typeof demoCustomers;

/** Everybody may know these passwords. */
export const demoPasswordOf = (userId: string): string => `${userId}-sandbox`;

const { ana, ...others } = demoCustomers;
const rowOf = ({ id, name, paymentLimitMinor }: DemoCustomer): NewCustomer => ({
  ...{ id, name, paymentLimitMinor },
});

/** As the ledger knows them. */
export const customerRows = [rowOf(ana), ...Object.values(others).map(rowOf)] as const;

/** As they sign in. */
export const demoPsus = Object.values(demoCustomers).flatMap((person) =>
  "userId" in person
    ? [
        {
          id: person.id,
          name: person.name,
          userId: person.userId,
          password: demoPasswordOf(person.userId),
        },
      ]
    : [],
);
