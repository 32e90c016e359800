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
  .meta({ format: "uuid", description: "The consent's id." })
  .refine(isUuid, { message: CONSENT_UNKNOWN, params: { code: "CONSENT_UNKNOWN" } })
  .transform((text) => text.toLowerCase() as ConsentId);

export const authorisationId = z
  .string()
  .describe("The authorisation's id, from the link scaStatus.")
  .transform((text) => text.toLowerCase() as AuthorisationId);

const accountId = z.string().describe("The account's resourceId, which is good for one consent.");

const transactionId = z
  .string()
  .describe("The entry's transactionId.")
  .transform((text) => text.toLowerCase() as TransactionId);

export const noPath = z.unknown();
export const consentPath = z.object({ consentId });
export const authorisationPath = z.object({ consentId, authorisationId });
export const accountPath = z.object({ accountId });
export const transactionPath = z.object({ accountId, transactionId });

export const noQuery = z.unknown();
export const noBody = z.unknown();
