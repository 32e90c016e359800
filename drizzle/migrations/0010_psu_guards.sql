CREATE TABLE "passkey_evidence" (
	"authorisation_id" uuid PRIMARY KEY NOT NULL,
	"psu_id" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"text" text NOT NULL,
	"credential_id" text NOT NULL,
	"public_key" text NOT NULL,
	"client_data_json" text NOT NULL,
	"authenticator_data" text NOT NULL,
	"signature" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "psu_text_budget" (
	"psu_id" text PRIMARY KEY NOT NULL,
	"sent" timestamp (3) with time zone[] NOT NULL
);
--> statement-breakpoint
ALTER TABLE "psu_session" DROP CONSTRAINT "psu_session_of_authorisation";--> statement-breakpoint
ALTER TABLE "audit_event" ALTER COLUMN "tpp_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "audit_event" ALTER COLUMN "request_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "audit_event" ADD COLUMN "psu_id" text;--> statement-breakpoint
ALTER TABLE "audit_event" ADD COLUMN "passkey_id" uuid;--> statement-breakpoint
ALTER TABLE "psu_session" ADD COLUMN "passkey_nonce" text;--> statement-breakpoint
ALTER TABLE "psu_session" ADD COLUMN "passkey_expires_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "audit_event_of_psu" ON "audit_event" USING btree ("psu_id","id") WHERE "audit_event"."psu_id" is not null;--> statement-breakpoint
ALTER TABLE "audit_event" ADD CONSTRAINT "audit_event_of_somebody" CHECK (num_nonnulls("audit_event"."tpp_id", "audit_event"."psu_id") = 1
        and ("audit_event"."tpp_id" is null) = ("audit_event"."request_id" is null)
        and ("audit_event"."psu_id" is null) = ("audit_event"."passkey_id" is null));--> statement-breakpoint
ALTER TABLE "psu_session" ADD CONSTRAINT "psu_session_passkey_challenge_whole" CHECK (("psu_session"."passkey_nonce" is null) = ("psu_session"."passkey_expires_at" is null));--> statement-breakpoint
ALTER TABLE "psu_session" ADD CONSTRAINT "psu_session_of_authorisation" CHECK ("psu_session"."purpose" = 'own-channel' or num_nonnulls("psu_session"."sca_done_at", "psu_session"."code_fingerprint", "psu_session"."passkey_nonce") = 0);--> statement-breakpoint
-- Evidence stays as it was given.
CREATE TRIGGER "passkey_evidence_immutable" BEFORE UPDATE OR DELETE ON "passkey_evidence"
	FOR EACH ROW EXECUTE FUNCTION "refuse_change"();--> statement-breakpoint
CREATE TRIGGER "passkey_evidence_kept" BEFORE TRUNCATE ON "passkey_evidence"
	FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
