import { z } from "zod";
import { CONSENT_UNKNOWN } from "@/lib/domain/consent/read-account-consent";
import {
  type AuthorisationId,
  type ConsentId,
  isUuid,
  type TransactionId,
} from "@/lib/domain/identifiers";

/** A consent's id in the path; whatever cannot be one is as unknown as one that is not there. */
const consentId = z
  .string()
  .refine(isUuid, { message: CONSENT_UNKNOWN, params: { code: "CONSENT_UNKNOWN" } })
  .transform((text) => text.toLowerCase() as ConsentId);

export const noPath = z.unknown();
export const consentPath = z.object({ consentId });
export const authorisationPath = z.object({
  consentId,
  authorisationId: z.string().transform((text) => text.toLowerCase() as AuthorisationId),
});
export const accountPath = z.object({ accountId: z.string() });
export const transactionPath = z.object({
  accountId: z.string(),
  transactionId: z.string().transform((text) => text.toLowerCase() as TransactionId),
});

export const noQuery = z.unknown();
export const noBody = z.unknown();
