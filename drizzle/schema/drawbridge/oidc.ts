import { index, pgTable, primaryKey } from "drizzle-orm/pg-core";
import { instant } from "../columns";

/**
 * What the authorisation server keeps: sessions, interactions, grants, codes, tokens. `account_id` is
 * the AuthorisationId, by which the end of a consent finds its tokens; it is text without a foreign
 * key because it comes out of a payload. The payload is `json`: it is read whole, never searched,
 * and `jsonb` refuses the U+0000 that anybody may put into a `state`.
 */
export const oidcPayload = pgTable(
  "oidc_payload",
  (t) => ({
    model: t.text("model").notNull(),
    idHash: t.text("id_hash").notNull(),
    grantId: t.text("grant_id"),
    uid: t.text("uid"),
    /** Of codes, tokens and grants: an end goes by its clock, which in the sandbox may be its own. */
    clientId: t.text("client_id"),
    accountId: t.text("account_id"),
    payload: t.json("payload").$type<Readonly<Record<string, unknown>>>().notNull(),
    expiresAt: instant("expires_at").notNull(),
    consumedAt: instant("consumed_at"),
    /** Of a grant: how often its refresh token was rotated, and when it was the last time. */
    rotations: t.integer("rotations").notNull().default(0),
    rotatedAt: instant("rotated_at"),
  }),
  (row) => [
    primaryKey({ columns: [row.model, row.idHash] }),
    index("oidc_payload_of_grant").on(row.grantId),
    index("oidc_payload_by_uid").on(row.model, row.uid),
    index("oidc_payload_of_authorisation").on(row.accountId),
    index("oidc_payload_expiry").on(row.expiresAt),
  ],
);
