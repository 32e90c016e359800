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

const accountType = z.string().regex(/^[A-Za-z0-9]{1,4}$/, "is not a code of an account type");

/** Of the members of an access object. */
const members = (referencesMax: number) => {
  const references = z.array(accountReference).max(referencesMax);
  const trustedBeneficiaries = z.array(dropped).max(referencesMax).optional();
  const restrictedTo = z
    .array(accountType)
    .max(referencesMax)
    .meta({ allOf: [{ anyOf: [{ maxItems: 0 }, { contains: { const: OFFERED_ACCOUNT_TYPE } }] }] })
    .refine((types) => types.length === 0 || types.includes(OFFERED_ACCOUNT_TYPE), {
      message: `only ${OFFERED_ACCOUNT_TYPE} accounts are offered`,
      params: { code: "SERVICE_INVALID" },
    })
    .optional();
  const all = {
    availableAccounts: accountsOnly,
    availableAccountsWithBalance: withBalances,
    // The specification writes allPSD2, the standard allPsd2; both mean the same.
    allPsd2: everything,
    allPSD2: everything,
  };
  return { references, trustedBeneficiaries, restrictedTo, all };
};

type Members = ReturnType<typeof members>;

const accessObject = ({ references, trustedBeneficiaries, restrictedTo, all }: Members) =>
  z.strictObject({
    ...lists(references.optional(), trustedBeneficiaries),
    ...all,
    restrictedTo,
  });

function lists<References extends z.ZodType>(
  references: References,
  trustedBeneficiaries: Members["trustedBeneficiaries"],
) {
  return {
    accounts: references,
    balances: references,
    transactions: references,
    additionalInformation: z
      .strictObject({ ownerName: references, trustedBeneficiaries })
      .optional(),
  };
}

export type AccessObject = z.infer<ReturnType<typeof accessObject>>;

const MODELS =
  "One of three models: named accounts, all accounts, or, with empty lists or none, the PSU's choice.";
const anyList = { anyOf: ["accounts", "balances", "transactions"].map(required) };

function required(name: string) {
  return { required: [name] };
}

/** The three models apart, for the description: what `accessFaults` finds in none of them fits none of these. */
function models({ references, trustedBeneficiaries, restrictedTo, all }: Members) {
  const named = references.min(1).optional().describe("Accounts by name.");
  const none = references.max(0).optional().describe("Empty: the choice is the PSU's.");
  return z.union([
    z
      .strictObject(lists(named, trustedBeneficiaries))
      .meta({ description: "Named accounts, each with what is asked of it.", allOf: [anyList] }),
    z.strictObject({ ...lists(none, trustedBeneficiaries), restrictedTo }).meta({
      description: "The PSU's choice: a list that is there, and empty, says what is asked for.",
      if: {
        required: ["additionalInformation"],
        properties: { additionalInformation: required("ownerName") },
      },
      // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
      then: anyList,
    }),
    z
      .strictObject({
        ...all,
        additionalInformation: z.strictObject({ trustedBeneficiaries }).optional(),
        restrictedTo,
      })
      .meta({
        description: "All accounts.",
        allOf: [{ oneOf: Object.keys(all).map(required) }],
      }),
  ]);
}

/** The access object of any of the three consent models, and word for word as it was sent. */
export const access = (referencesMax: number) => {
  const known = members(referencesMax);
  const schema = accessObject(known);
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
  return shownAs(form, models(known).describe(MODELS));
};

/** What has been accepted has the list nowhere else, whatever the list has in it. */
type Sent = { readonly additionalInformation?: { readonly trustedBeneficiaries?: unknown } };

function withoutBeneficiaries(sent: Sent): unknown {
  if (sent.additionalInformation?.trustedBeneficiaries === undefined) return sent;
  const { trustedBeneficiaries: _, ...additionalInformation } = sent.additionalInformation;
  return { ...sent, additionalInformation };
}
