import * as z from "zod";
import type { AccountView, BalancesView, OpenAccount } from "@/lib/domain/account-access";
import type { Balance } from "@/lib/domain/accounts";
import { replyOf, type Xs2aPorts } from "../declaration";
import { accountReferenceSent, amountSent, link, shortened, toAmount } from "./common";

const owner = z.strictObject({
  name: z.string().max(70),
  role: z.enum(["owner", "legalRepresentative", "authorisedUser"]),
});

/** The three types of this bank; the standard's others are not provided. */
export const balanceSent = z
  .discriminatedUnion("balanceType", [
    z.strictObject({
      balanceAmount: amountSent,
      balanceType: z.enum(["closingBooked", "forwardAvailable"]),
      referenceDate: z.iso.date(),
    }),
    z.strictObject({
      balanceAmount: amountSent,
      balanceType: z.literal("expected"),
      lastChangeDateTime: z.iso.datetime().optional(),
    }),
  ])
  .meta({ id: "Balance", description: "A balance, of a day or as it is now." });

const details = {
  resourceId: z.uuid(),
  iban: z.string(),
  currency: z.string().regex(/^[A-Z]{3}$/),
  ownerName: z.string().max(140).optional(),
  ownerNames: z.array(owner).optional(),
  name: z.string().max(70),
  displayName: z.string().max(70).optional(),
  product: z.string().max(35),
  cashAccountType: z.literal("CACC"),
  status: z.literal("blocked").optional(),
  bic: z.string(),
  linkedAccounts: z.string().max(70).optional(),
  usage: z.enum(["PRIV", "ORGA"]),
  balances: z.array(balanceSent).optional(),
  _links: z.strictObject({ balances: link.optional(), transactions: link.optional() }),
};

const accountDetails = z
  .strictObject(details)
  .meta({ id: "Account", description: "An account, as far as the consent covers it." });

const accounts = z.strictObject({ accounts: z.array(accountDetails) });
const account = z.strictObject({ account: accountDetails });
const balances = z.strictObject({ account: accountReferenceSent, balances: z.array(balanceSent) });

type Links = Pick<Xs2aPorts, "links">;

export const accountsRead = replyOf(
  { status: 200, description: "The accounts that the PSU has chosen.", body: accounts },
  (views: readonly AccountView[], { links }: Links) => ({
    value: { accounts: views.map((view) => toDetails(view, links.aisp)) },
  }),
);

export const accountRead = replyOf(
  { status: 200, description: "The account.", body: account },
  (view: AccountView, { links }: Links) => ({ value: { account: toDetails(view, links.aisp) } }),
);

export const balancesRead = replyOf(
  { status: 200, description: "The account's balances.", body: balances },
  (view: BalancesView) => ({
    value: { account: toReference(view), balances: view.balances.map(toBalance) },
  }),
);

export function toReference({ account: { iban, currency, maskedPan } }: OpenAccount) {
  return { iban, currency, maskedPan };
}

/** Names of owners leave only where the consent covers them; links only where they can be followed. */
function toDetails({ granted, account: held, balances: own }: AccountView, aisp: string) {
  const { rights, resourceId } = granted;
  const self = `${aisp}/accounts/${resourceId}`;
  const owners = rights.ownerName ? held.owners : undefined;
  return {
    resourceId,
    iban: held.iban,
    currency: held.currency,
    ownerName: owners && shortened(owners.map(({ name }) => name).join(", "), 140),
    ownerNames: owners?.map(({ name, role }) => ({ name: shortened(name, 70), role })),
    name: held.name,
    displayName: held.displayName,
    product: held.product,
    cashAccountType: "CACC",
    // The absence of a status means that the account is open.
    status: held.status === "blocked" ? held.status : undefined,
    bic: held.bic,
    linkedAccounts: held.linkedAccounts,
    usage: held.usage,
    balances: own?.map(toBalance),
    _links: {
      balances: rights.balances ? { href: `${self}/balances` } : undefined,
      transactions: rights.transactions ? { href: `${self}/transactions` } : undefined,
    },
  };
}

export function toBalance(balance: Balance) {
  const { type: balanceType, amount } = balance;
  const balanceAmount = toAmount(amount);
  return balance.type === "expected"
    ? { balanceAmount, balanceType, lastChangeDateTime: balance.lastChangeAt?.toISOString() }
    : { balanceAmount, balanceType, referenceDate: balance.referenceDate };
}

export const accountsQuery = z.object({
  withBalance: z
    .enum(["true", "false"], { error: "is true or false" })
    .default("false")
    .describe("Whether each account comes with its balances, where the consent covers them.")
    .transform((text) => text === "true"),
});
