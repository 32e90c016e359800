import type {
  AccessRequest,
  AccessRights,
  AccountReference,
  NamedAccount,
} from "@/lib/domain/consent/access-request";
import { unite } from "@/lib/domain/sca/offer-accounts";
import type { AccessObject } from "./access";

const GLOBAL = ["availableAccounts", "availableAccountsWithBalance", "allPsd2", "allPSD2"] as const;
const LISTS = ["accounts", "balances", "transactions"] as const;
const OWNER_NAME = ["additionalInformation", "ownerName"] as const;
const NOTHING: AccessRights = { balances: false, transactions: false, ownerName: false };

type AccessFault = { readonly path: string[]; readonly message: string };

/** What is well formed and still belongs to none of the three models. */
export function accessFaults(sent: AccessObject): readonly AccessFault[] {
  const globals = GLOBAL.filter((name) => sent[name] !== undefined);
  const lists = LISTS.filter((name) => sent[name] !== undefined);
  const owners = sent.additionalInformation?.ownerName;
  const arrays = lists.map((name) => sent[name] ?? []);
  const named = arrays.flat();
  if (owners !== undefined) arrays.push(owners);
  const faults: AccessFault[] = [];
  const fault = (message: string, ...path: string[]) => faults.push({ path, message });
  if (globals.length > 1) fault(`${globals.join(" and ")} exclude each other`);
  if (globals.length > 0 && arrays.length > 0) {
    fault(`${globals[0]} goes without accounts, balances, transactions and ownerName`);
  }
  if (arrays.some(isEmpty) && !arrays.every(isEmpty)) {
    fault("either every list is empty or none is");
  }
  if (owners !== undefined && lists.length === 0 && globals.length === 0) {
    fault("ownerName goes with accounts, balances or transactions", ...OWNER_NAME);
  }
  for (const owner of owners ?? []) {
    if (!named.some((other) => sameReference(owner, other))) {
      fault("names an account that no other list names", ...OWNER_NAME);
    }
  }
  if (sent.restrictedTo !== undefined && named.length > 0) {
    fault("goes without named accounts", "restrictedTo");
  }
  return faults;
}

/** The request in the domain's words. Balances or transactions of an account imply the account itself. */
export function toAccessRequest(sent: AccessObject): AccessRequest {
  const global = GLOBAL.find((name) => sent[name] !== undefined);
  if (global !== undefined) {
    return { model: "global", rights: globalRights(global, sent[global] as string), named: [] };
  }
  const named = namedAccounts(sent);
  if (named.length > 0) {
    return { model: "dedicated", named, rights: named.map(({ rights }) => rights).reduce(unite) };
  }
  return {
    model: "bankOffered",
    named: [],
    rights: {
      balances: sent.balances !== undefined,
      transactions: sent.transactions !== undefined,
      ownerName: sent.additionalInformation?.ownerName !== undefined,
    },
  };
}

function globalRights(name: (typeof GLOBAL)[number], value: string): AccessRights {
  const all = name === "allPsd2" || name === "allPSD2";
  return {
    balances: all || name === "availableAccountsWithBalance",
    transactions: all,
    ownerName: value === "allAccountsWithOwnerName",
  };
}

function namedAccounts(sent: AccessObject): readonly NamedAccount[] {
  const lists: readonly (readonly [
    readonly AccountReference[] | undefined,
    Partial<AccessRights>,
  ])[] = [
    [sent.accounts, {}],
    [sent.balances, { balances: true }],
    [sent.transactions, { transactions: true }],
    [sent.additionalInformation?.ownerName, { ownerName: true }],
  ];
  return lists.reduce<readonly NamedAccount[]>(
    (known, [references, rights]) =>
      (references ?? []).reduce(
        (all, reference) => add(all, reference, { ...NOTHING, ...rights }),
        known,
      ),
    [],
  );
}

function add(known: readonly NamedAccount[], reference: AccountReference, rights: AccessRights) {
  const before = known.find((named) => sameReference(named.reference, reference));
  if (before === undefined) return [...known, { reference, rights }];
  const united = { reference, rights: unite(before.rights, rights) };
  return known.map((named) => (named === before ? united : named));
}

function sameReference(one: AccountReference, other: AccountReference): boolean {
  return one.iban === other.iban && one.currency === other.currency;
}

function isEmpty(list: readonly unknown[]): boolean {
  return list.length === 0;
}
