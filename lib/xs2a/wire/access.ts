import { z } from "zod";
import { accessFaults, toAccessRequest } from "./access-models";
import { accountReference } from "./account-reference";

const OFFERED_ACCOUNT_TYPE = "CACC";

const allAccounts = z.enum(["allAccounts", "allAccountsWithOwnerName"], {
  error: "is allAccounts or allAccountsWithOwnerName",
});

const accessObject = (referencesMax: number) => {
  const references = z.array(accountReference).max(referencesMax).optional();
  return z.strictObject({
    accounts: references,
    balances: references,
    transactions: references,
    additionalInformation: z
      .strictObject({
        ownerName: references,
        // Read and dropped: the list of trusted beneficiaries is not offered.
        trustedBeneficiaries: z.array(z.unknown()).max(referencesMax).optional(),
      })
      .optional(),
    availableAccounts: allAccounts.optional(),
    availableAccountsWithBalance: allAccounts.optional(),
    // The specification writes allPSD2, the standard allPsd2; both mean the same.
    allPsd2: allAccounts.optional(),
    allPSD2: allAccounts.optional(),
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

/** The access object of any of the three consent models, and word for word as it was sent. */
export const access = (referencesMax: number) =>
  z.unknown().transform((sent, issues) => {
    const result = accessObject(referencesMax).safeParse(sent);
    if (!result.success) {
      for (const issue of result.error.issues) issues.addIssue({ ...issue });
      return z.NEVER;
    }
    const faults = accessFaults(result.data);
    for (const { path, message } of faults) issues.addIssue({ code: "custom", path, message });
    if (faults.length > 0) return z.NEVER;
    return { requested: withoutBeneficiaries(sent), access: toAccessRequest(result.data) };
  });

function withoutBeneficiaries(sent: unknown): unknown {
  return JSON.parse(JSON.stringify(sent), (key, value: unknown) =>
    key === "trustedBeneficiaries" ? undefined : value,
  );
}
