import { sql } from "drizzle-orm";
import { check, index, pgTable, unique, uniqueIndex } from "drizzle-orm/pg-core";
import {
  type FailureReason,
  type ResourceKind,
  type ScaStatus,
  scaTransitions,
} from "../../../lib/domain/authorisation";
import type { ScaMeans } from "../../../lib/domain/bank-profile";
import type { AccountId, AuthorisationId, RequestId } from "../../../lib/domain/values";
import type { NotificationContent } from "../../../lib/domain/webhooks";
import { bothOrNeither, instant, oneOf, psuId } from "../columns";
import { ofTpp } from "./tpps";

/** `acr` and `authTime` are the identity provider's (OpenID Connect Core 2). */
type KeptProof = {
  readonly element: "login" | "confirmation";
  readonly means: ScaMeans | "password";
  readonly at: string;
  readonly acr?: string | undefined;
  readonly amr?: readonly string[] | undefined;
  readonly authTime?: string | undefined;
};

const kinds = ["AIS", "PIIS", "PIS"] as const satisfies readonly ResourceKind[];

/** One PSU's authorisation of one resource. `resource_id` has no foreign key: `kind` names its table. */
export const authorisation = pgTable(
  "authorisation",
  (t) => ({
    id: t.uuid("id").$type<AuthorisationId>().primaryKey(),
    kind: t.text("kind").$type<ResourceKind>().notNull(),
    resourceId: t.uuid("resource_id").notNull(),
    tppId: ofTpp(),
    requestId: t.uuid("request_id").$type<RequestId>().notNull(),
    /** base64url of the SHA-256 of that request's body; null for a payment, which keeps its whole answer. */
    bodyDigest: t.text("body_digest"),
    scaStatus: t.text("sca_status").$type<ScaStatus>().notNull(),
    redirectUri: t.text("redirect_uri").notNull(),
    nokRedirectUri: t.text("nok_redirect_uri"),
    /** What the TPP is told of the resource's status, and where; triggers put it into the outbox. */
    notificationUri: t.text("notification_uri"),
    notificationContent: t.text("notification_content").array().$type<NotificationContent[]>(),
    loginHint: t.text("login_hint"),
    acceptLanguage: t.text("accept_language"),
    psuId: psuId(),
    failedAttempts: t.smallint("failed_attempts").notNull(),
    selection: t.text("selection").array().$type<AccountId[]>().notNull(),
    codeFingerprint: t.text("code_fingerprint"),
    codeExpiresAt: instant("code_expires_at"),
    codesSent: t.smallint("codes_sent").notNull(),
    codesUndelivered: t.smallint("codes_undelivered").notNull().default(0),
    /** What a passkey signs is computed from this nonce and the rows; see lib/domain/passkeys. */
    passkeyNonce: t.text("passkey_nonce"),
    passkeyExpiresAt: instant("passkey_expires_at"),
    /** What the identity provider is sent is computed from this nonce and the rows; see lib/domain/identity-provider. */
    approvalNonce: t.text("approval_nonce"),
    approvalExpiresAt: instant("approval_expires_at"),
    /** The provider's id of a request to the customer's app, and when it may be asked about next. */
    approvalRequest: t.text("approval_request"),
    approvalPollAt: instant("approval_poll_at"),
    /** base64url of the SHA-256 of what the open challenges authorise. */
    linkHash: t.text("link_hash"),
    /** What was proved, when and by which means, oldest first. */
    proofs: t.jsonb("proofs").$type<readonly KeptProof[]>().notNull().default([]),
    createdAt: instant("created_at").notNull(),
    expiresAt: instant("expires_at").notNull(),
    decidedAt: instant("decided_at"),
    failedBecause: t.text("failed_because").$type<FailureReason>(),
    /** Which of the TPP's slots it holds until it is decided; null if it began before there were any. */
    openSlot: t.integer("open_slot"),
  }),
  (row) => [
    unique("authorisation_of_resource").on(row.kind, row.resourceId),
    /** A request that arrives again, by mistake or replayed, starts nothing. */
    unique("authorisation_of_request").on(row.kind, row.tppId, row.requestId),
    /** Bounds how many a TPP may have open: two cannot hold one slot. */
    uniqueIndex("authorisation_open_slot")
      .on(row.tppId, row.openSlot)
      .where(sql`${row.decidedAt} is null`),
    index("authorisation_open_redirect_uri")
      .on(row.tppId, row.redirectUri, row.expiresAt)
      .where(sql`${row.decidedAt} is null`),
    /** For the lists of a customer's permissions, newest first. */
    index("authorisation_of_psu").on(row.psuId, row.createdAt, row.id),
    index("authorisation_request").using("hash", row.requestId),
    /** For the sweep: windows that have run out. */
    index("authorisation_open").on(row.expiresAt).where(sql`${row.decidedAt} is null`),
    check("authorisation_kind", oneOf(row.kind, kinds)),
    check("authorisation_sca_status", oneOf(row.scaStatus, Object.keys(scaTransitions))),
    check("authorisation_attempts", sql`${row.failedAttempts} >= 0 and ${row.codesSent} >= 0`),
    check("authorisation_challenge_whole", bothOrNeither(row.codeFingerprint, row.codeExpiresAt)),
    check(
      "authorisation_passkey_challenge_whole",
      bothOrNeither(row.passkeyNonce, row.passkeyExpiresAt),
    ),
    check(
      "authorisation_approval_whole",
      sql`(${row.approvalNonce} is null) = (${row.approvalExpiresAt} is null)
        and (${row.approvalRequest} is null) = (${row.approvalPollAt} is null)
        and (${row.approvalRequest} is null or ${row.approvalNonce} is not null)`,
    ),
    /** Hashed: some providers' ids are longer than what a B-tree holds. */
    index("authorisation_approval_request")
      .using("hash", row.approvalRequest)
      .where(sql`${row.approvalRequest} is not null`),
    check(
      "authorisation_psu_known",
      sql`${row.psuId} is not null or ${row.scaStatus} in ('received', 'failed')`,
    ),
  ],
);

/**
 * The signature by which a PSU has authorised something, with all that is needed to verify it again
 * (PSD2 art. 72(1)): the SHA-256 of `text` is the challenge in `client_data_json`. Binary values are
 * base64url. Only ever added to: a trigger holds it. It stands by itself, so it has no foreign key.
 */
export const passkeyEvidence = pgTable("passkey_evidence", (t) => ({
  authorisationId: t.uuid("authorisation_id").$type<AuthorisationId>().primaryKey(),
  psuId: psuId().notNull(),
  at: instant("at").notNull(),
  text: t.text("text").notNull(),
  credentialId: t.text("credential_id").notNull(),
  /** As it was then. */
  publicKey: t.text("public_key").notNull(),
  clientDataJson: t.text("client_data_json").notNull(),
  authenticatorData: t.text("authenticator_data").notNull(),
  signature: t.text("signature").notNull(),
}));

/**
 * The identity provider's word by which a PSU has authorised something (PSD2 art. 72(1)): its signed ID token, and the
 * text of which it was sent the SHA-256. Only ever added to: a trigger holds it. It stands by itself, so it has no
 * foreign key.
 */
export const approvalEvidence = pgTable("approval_evidence", (t) => ({
  authorisationId: t.uuid("authorisation_id").$type<AuthorisationId>().primaryKey(),
  psuId: psuId().notNull(),
  at: instant("at").notNull(),
  means: t.text("means").$type<"ciba" | "oidc">().notNull(),
  text: t.text("text").notNull(),
  idToken: t.text("id_token").notNull(),
}));
