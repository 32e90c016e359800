import { demoAccounts, demoCustomers, ownIban, parties } from "@/lib/sandbox/demo-bank-people";
import { demoPasswordOf } from "@/lib/sandbox/demo-operators";
import type { Personal } from "./leaks-in";

/** What the demo bank knows of its customers and of those they deal with. */
export function personalInDemoBank(): Personal {
  const customers = Object.values(demoCustomers);
  const own = Object.values(demoAccounts).map(({ number }) => ownIban(number));
  const others = Object.values(parties).flatMap((party) => ("iban" in party ? [party.iban] : []));
  return {
    IBAN: [...own, ...others],
    name: customers.map(({ name }) => name),
    password: customers.flatMap((one) => ("userId" in one ? [demoPasswordOf(one.userId)] : [])),
  };
}
