import { z } from "zod";
import { accessFaults, toAccessRequest } from "./access-models";
import { accountReference } from "./account-reference";
import { shownAs } from "./shown-as";

const OFFERED_ACCOUNT_TYPE = "CACC";

const allAccounts = z
  .enum(["allAccounts", "allAccountsWithOwnerName"], {
    error: "is allAccounts or allAccountsWithOwnerName",
  })
  .optional();
const accountsOnly = allAccounts.describe("The list of all accounts.");
const withBalances = allAccounts.describe("All accounts with their balances.");
const everything = allAccounts.describe("All accounts with balances and transactions.");

// Read and dropped: the list of trusted beneficiaries is not offered.
const dropped = z.unknown().describe("Accepted in any form and ignored.");

const accessObject = (referencesMax: number) => {
  const references = z
    .array(accountReference)
    .max(referencesMax)
    .optional()
    .describe("Accounts by name; an empty list leaves the choice to the PSU.");
  return z.strictObject({
    accounts: references,
    balances: references,
    transactions: references,
    additionalInformation: z
      .strictObject({
        ownerName: references,
        trustedBeneficiaries: z.array(dropped).max(referencesMax).optional(),
      })
      .optional(),
    availableAccounts: accountsOnly,
    availableAccountsWithBalance: withBalances,
    // The specification writes allPSD2, the standard allPsd2; both mean the same.
    allPsd2: everything,
    allPSD2: everything,
    restrictedTo: z
      .array(z.string().max(4))
      .refine((types) => types.length === 0 || types.includes(OFFERED_ACCOUNT_TYPE), {
        message: `only ${OFFERED_ACCOUNT_TYPE} accounts are offered`,
        params: { code: "SERVICE_INVALID" },
      })
      .optional(),
  });
};

export type AccessObject = z.infer<ReturnType<typeof accessObject>>;

const MODELS =
  "One of three models: named accounts, all accounts, or, with empty lists or none, the PSU's choice.";

/** The access object of any of the three consent models, and word for word as it was sent. */
export const access = (referencesMax: number) => {
  const schema = accessObject(referencesMax);
  const form = z.unknown().transform((sent, issues) => {
    const result = schema.safeParse(sent);
    if (!result.success) {
      for (const issue of result.error.issues) issues.addIssue({ ...issue });
      return z.NEVER;
    }
    const faults = accessFaults(result.data);
    for (const { path, message } of faults) issues.addIssue({ code: "custom", path, message });
    if (faults.length > 0) return z.NEVER;
    return { requested: withoutBeneficiaries(sent as Sent), access: toAccessRequest(result.data) };
  });
  return shownAs(form, schema.describe(MODELS));
};

/** What has been accepted has the list nowhere else, whatever the list has in it. */
type Sent = { readonly additionalInformation?: { readonly trustedBeneficiaries?: unknown } };

function withoutBeneficiaries(sent: Sent): unknown {
  if (sent.additionalInformation?.trustedBeneficiaries === undefined) return sent;
  const { trustedBeneficiaries: _, ...additionalInformation } = sent.additionalInformation;
  return { ...sent, additionalInformation };
}
