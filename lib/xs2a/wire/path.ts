import { z } from "zod";
import { CORE_BANK_ID_CHARACTERS_MAX } from "@/lib/domain/core-bank";
import type { AuthorisationId, ConsentId, TransactionId } from "@/lib/domain/identifiers";

/** In the path, whatever cannot be an id is as unknown to the store as one that is not there. */
export const idInPath = (description: string) => z.string().meta({ format: "uuid", description });

const consentId = idInPath("The consent's id.").transform(
  (text) => text.toLowerCase() as ConsentId,
);

export const authorisationId = idInPath(
  "The authorisation's id, from the link scaStatus.",
).transform((text) => text.toLowerCase() as AuthorisationId);

const accountId = idInPath("The account's resourceId, which is good for one consent.");

const transactionId = z
  .string()
  .meta({ maxLength: CORE_BANK_ID_CHARACTERS_MAX, description: "The entry's transactionId." })
  .transform((text) => text as TransactionId);

export const noPath = z.unknown();
export const consentPath = z.object({ consentId });
export const authorisationPath = z.object({ consentId, authorisationId });
export const accountPath = z.object({ accountId });
export const transactionPath = z.object({ accountId, transactionId });

export const noQuery = z.unknown();
export const noBody = z.unknown();
