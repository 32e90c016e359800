CREATE TABLE "access_log" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "access_log_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"consent_id" uuid NOT NULL,
	"tpp_id" text NOT NULL,
	"what" text NOT NULL,
	"account_id" text,
	"at" timestamp (3) with time zone NOT NULL,
	"attended" boolean NOT NULL,
	CONSTRAINT "access_log_what" CHECK ("access_log"."what" in ('accounts', 'accounts-with-balances', 'account-details', 'account-details-with-balances', 'balances', 'transactions', 'transaction', 'funds-check'))
);
--> statement-breakpoint
DROP INDEX "psu_session_age";--> statement-breakpoint
ALTER TABLE "psu_session" ADD COLUMN "purpose" text DEFAULT 'authorisation' NOT NULL;--> statement-breakpoint
ALTER TABLE "psu_session" ADD COLUMN "sca_done_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "psu_session" ADD COLUMN "code_fingerprint" text;--> statement-breakpoint
ALTER TABLE "psu_session" ADD COLUMN "code_expires_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "psu_session" ADD COLUMN "codes_sent" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "access_log_of_consent" ON "access_log" USING btree ("consent_id","id");--> statement-breakpoint
CREATE INDEX "access_log_age" ON "access_log" USING btree ("at");--> statement-breakpoint
CREATE INDEX "authorisation_of_psu" ON "authorisation" USING btree ("psu_id","created_at");--> statement-breakpoint
CREATE INDEX "psu_session_age" ON "psu_session" USING btree ("purpose","created_at");--> statement-breakpoint
ALTER TABLE "psu_session" ADD CONSTRAINT "psu_session_purpose" CHECK ("psu_session"."purpose" in ('authorisation', 'own-channel'));--> statement-breakpoint
ALTER TABLE "psu_session" ADD CONSTRAINT "psu_session_challenge_whole" CHECK (("psu_session"."code_fingerprint" is null) = ("psu_session"."code_expires_at" is null));--> statement-breakpoint
ALTER TABLE "psu_session" ADD CONSTRAINT "psu_session_of_authorisation" CHECK ("psu_session"."purpose" = 'own-channel' or ("psu_session"."sca_done_at" is null and "psu_session"."code_fingerprint" is null));--> statement-breakpoint
-- The sweep removes old lines; nothing changes one.
CREATE TRIGGER "access_log_immutable" BEFORE UPDATE ON "access_log"
	FOR EACH ROW EXECUTE FUNCTION "refuse_change"();
