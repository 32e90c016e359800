CREATE TABLE "refused_request" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "refused_request_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp (3) with time zone NOT NULL,
	"tpp_id" text NOT NULL,
	"request_id" uuid,
	"method" varchar(10) NOT NULL,
	"route" text NOT NULL,
	"status" smallint NOT NULL,
	"code" text NOT NULL,
	"told" varchar(500) NOT NULL,
	"resource_kind" text,
	"resource_id" uuid
);
--> statement-breakpoint
CREATE TABLE "staff_session" (
	"id_hash" text PRIMARY KEY NOT NULL,
	"operator" text NOT NULL,
	"name" text NOT NULL,
	"roles" text[] NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_seen_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE INDEX "refused_request_of_tpp" ON "refused_request" USING btree ("tpp_id","id");--> statement-breakpoint
CREATE INDEX "refused_request_of_request" ON "refused_request" USING btree ("request_id");--> statement-breakpoint
CREATE INDEX "refused_request_of_resource" ON "refused_request" USING btree ("resource_id","at");--> statement-breakpoint
CREATE INDEX "refused_request_age" ON "refused_request" USING btree ("at");--> statement-breakpoint
CREATE INDEX "staff_session_age" ON "staff_session" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "authorisation_request" ON "authorisation" USING hash ("request_id");--> statement-breakpoint
CREATE INDEX "account_grant_iban" ON "account_grant" USING hash ("iban");--> statement-breakpoint
CREATE INDEX "funds_consent_iban" ON "funds_consent" USING hash ("iban");--> statement-breakpoint
CREATE INDEX "payment_debtor_iban" ON "payment" USING hash ("debtor_iban");--> statement-breakpoint
CREATE INDEX "payment_creditor_iban" ON "payment" USING hash ("creditor_iban");--> statement-breakpoint
CREATE INDEX "payment_end_to_end_id" ON "payment" USING hash ("end_to_end_id") WHERE "payment"."end_to_end_id" is not null;--> statement-breakpoint
CREATE INDEX "tpp_name" ON "tpp" USING btree (lower("name") text_pattern_ops);--> statement-breakpoint
-- Who of the bank's staff came and went, with the roles of that moment.
CREATE FUNCTION "staff_session_event"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM "event_record"(CASE TG_OP WHEN 'INSERT' THEN 'staff-signed-in' ELSE 'staff-signed-out' END, 'administration', NULL, NULL,
		NULL, NULL, NULL, NEW."operator", jsonb_build_object('roles', NEW."roles"));
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "staff_session_opened_event" AFTER INSERT ON "staff_session"
	FOR EACH ROW EXECUTE FUNCTION "staff_session_event"();--> statement-breakpoint
CREATE TRIGGER "staff_session_ended_event" AFTER UPDATE ON "staff_session" FOR EACH ROW
	WHEN (NEW."ended_at" IS NOT NULL AND OLD."ended_at" IS NULL) EXECUTE FUNCTION "staff_session_event"();
