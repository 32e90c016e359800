CREATE TABLE "approval_evidence" (
	"authorisation_id" uuid PRIMARY KEY NOT NULL,
	"psu_id" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"means" text NOT NULL,
	"text" text NOT NULL,
	"id_token" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "authorisation" ADD COLUMN "approval_nonce" text;--> statement-breakpoint
ALTER TABLE "authorisation" ADD COLUMN "approval_expires_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "authorisation" ADD COLUMN "approval_request" text;--> statement-breakpoint
ALTER TABLE "authorisation" ADD COLUMN "approval_poll_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "authorisation" ADD COLUMN "proofs" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
CREATE INDEX "authorisation_approval_request" ON "authorisation" USING hash ("approval_request") WHERE "authorisation"."approval_request" is not null;--> statement-breakpoint
ALTER TABLE "authorisation" ADD CONSTRAINT "authorisation_approval_whole" CHECK (("authorisation"."approval_nonce" is null) = ("authorisation"."approval_expires_at" is null)
        and ("authorisation"."approval_request" is null) = ("authorisation"."approval_poll_at" is null)
        and ("authorisation"."approval_request" is null or "authorisation"."approval_nonce" is not null));--> statement-breakpoint
-- Evidence stays as it was given.
CREATE TRIGGER "approval_evidence_immutable" BEFORE UPDATE OR DELETE ON "approval_evidence"
	FOR EACH ROW EXECUTE FUNCTION "refuse_change"();--> statement-breakpoint
CREATE TRIGGER "approval_evidence_kept" BEFORE TRUNCATE ON "approval_evidence"
	FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
