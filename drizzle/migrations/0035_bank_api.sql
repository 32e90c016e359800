CREATE TABLE "tpp_certificate" (
	"thumbprint" text PRIMARY KEY NOT NULL,
	"tpp_id" text NOT NULL,
	"kind" text NOT NULL,
	"serial_number" text NOT NULL,
	"issuer" text NOT NULL,
	"not_after" timestamp (3) with time zone NOT NULL,
	"first_seen_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "tpp_certificate_kind" CHECK ("tpp_certificate"."kind" in ('QWAC', 'QSEAL'))
);
--> statement-breakpoint
CREATE TABLE "webhook" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "webhook_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"message_id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"type" text NOT NULL,
	"resource" text NOT NULL,
	"data" jsonb NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"due_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "webhook_type" CHECK ("webhook"."type" in ('permission.given', 'permission.first_used', 'permission.ended', 'payment.initiated', 'tpp.blocked'))
);
--> statement-breakpoint
CREATE TABLE "webhook_receiver" (
	"id" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"since" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "webhook_receiver_one_row" CHECK ("webhook_receiver"."id")
);
--> statement-breakpoint
ALTER TABLE "account_consent" ADD COLUMN "first_used_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "funds_consent" ADD COLUMN "first_used_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "tpp_certificate_of_tpp" ON "tpp_certificate" USING btree ("tpp_id","not_after");--> statement-breakpoint
CREATE INDEX "webhook_due" ON "webhook" USING btree ("due_at");--> statement-breakpoint
CREATE INDEX "webhook_of_resource" ON "webhook" USING btree ("resource","id");--> statement-breakpoint
UPDATE "account_consent" SET "first_used_at" = "used"."at"
	FROM (SELECT "consent_id", min("at") AS "at" FROM "access_log" GROUP BY "consent_id") AS "used" WHERE "id" = "used"."consent_id";--> statement-breakpoint
UPDATE "funds_consent" SET "first_used_at" = "used"."at"
	FROM (SELECT "consent_id", min("at") AS "at" FROM "access_log" GROUP BY "consent_id") AS "used" WHERE "id" = "used"."consent_id";--> statement-breakpoint
-- The one way into the outbox. Where nobody is to be told, nothing is kept.
CREATE FUNCTION "webhook_enqueue"("of_type" text, "of_resource" text, "with_data" jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	IF EXISTS (SELECT FROM "webhook_receiver") THEN
		INSERT INTO "webhook" ("type", "resource", "data", "at") VALUES (of_type, of_resource, jsonb_strip_nulls(with_data),
			clock_timestamp() + make_interval(secs => coalesce((SELECT "offset_milliseconds" FROM "sandbox_clock"), 0) / 1000.0));
	END IF;
END $$;--> statement-breakpoint
CREATE FUNCTION "consent_webhook"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	said jsonb := jsonb_build_object('permissionId', NEW."id", 'kind', TG_ARGV[0], 'customerId', NEW."psu_id", 'tppId', NEW."tpp_id");
BEGIN
	IF NEW."status" = OLD."status" THEN
		PERFORM "webhook_enqueue"('permission.first_used', NEW."id"::text, said);
		PERFORM "event_record"('consent-first-used', 'permission', NEW."tpp_id", NULL, TG_ARGV[1], NEW."id", NEW."psu_id", NULL, '{}');
	ELSIF NEW."status" = 'valid' THEN
		PERFORM "webhook_enqueue"('permission.given', NEW."id"::text, said);
	ELSE
		PERFORM "webhook_enqueue"('permission.ended', NEW."id"::text, said || jsonb_build_object('state',
			CASE NEW."status" WHEN 'revokedByPsu' THEN 'revoked' WHEN 'terminatedByTpp' THEN 'ended-by-tpp' ELSE 'expired' END));
	END IF;
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "account_consent_webhook" AFTER UPDATE ON "account_consent" FOR EACH ROW
	WHEN (NEW."status" <> OLD."status" AND 'valid' IN (NEW."status", OLD."status") OR NEW."first_used_at" IS NOT NULL AND OLD."first_used_at" IS NULL)
	EXECUTE FUNCTION "consent_webhook"('accounts', 'AIS');--> statement-breakpoint
CREATE TRIGGER "funds_consent_webhook" AFTER UPDATE ON "funds_consent" FOR EACH ROW
	WHEN (NEW."status" <> OLD."status" AND 'valid' IN (NEW."status", OLD."status") OR NEW."first_used_at" IS NOT NULL AND OLD."first_used_at" IS NULL)
	EXECUTE FUNCTION "consent_webhook"('funds', 'PIIS');--> statement-breakpoint
CREATE FUNCTION "payment_webhook"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM "webhook_enqueue"('payment.initiated', NEW."payment_id"::text, jsonb_build_object('paymentId', NEW."payment_id",
		'customerId', NEW."psu_id", 'tppId', (SELECT "tpp_id" FROM "payment" WHERE "id" = NEW."payment_id")));
	RETURN NULL;
END $$;--> statement-breakpoint
-- The customer has confirmed it.
CREATE TRIGGER "payment_state_webhook" AFTER UPDATE ON "payment_state" FOR EACH ROW
	WHEN (OLD."status" = 'RCVD' AND NEW."status" = 'ACTC') EXECUTE FUNCTION "payment_webhook"();--> statement-breakpoint
CREATE FUNCTION "tpp_block_webhook"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM "webhook_enqueue"('tpp.blocked', NEW."tpp_id", jsonb_build_object('tppId', NEW."tpp_id", 'until',
		to_char(NEW."until" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')));
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "tpp_block_webhook" AFTER INSERT ON "tpp_block" FOR EACH ROW EXECUTE FUNCTION "tpp_block_webhook"();
