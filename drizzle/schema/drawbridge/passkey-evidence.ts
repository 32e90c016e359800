import { pgTable, text, uuid } from "drizzle-orm/pg-core";
import type { AuthorisationId, PsuId } from "../../../lib/domain/identifiers";
import { instant } from "../columns";

/**
 * The signature by which a PSU has authorised something, with all that is needed to verify it again
 * (PSD2 art. 72(1)): the SHA-256 of `text` is the challenge in `client_data_json`. Binary values are
 * base64url. Only ever added to: a trigger holds it. It stands by itself, so it has no foreign key.
 */
export const passkeyEvidence = pgTable("passkey_evidence", {
  authorisationId: uuid("authorisation_id").$type<AuthorisationId>().primaryKey(),
  psuId: text("psu_id").$type<PsuId>().notNull(),
  at: instant("at").notNull(),
  text: text("text").notNull(),
  credentialId: text("credential_id").notNull(),
  /** As it was then. */
  publicKey: text("public_key").notNull(),
  clientDataJson: text("client_data_json").notNull(),
  authenticatorData: text("authenticator_data").notNull(),
  signature: text("signature").notNull(),
});
