ALTER TABLE "webhook" DROP CONSTRAINT "webhook_type";--> statement-breakpoint
DROP INDEX "webhook_due";--> statement-breakpoint
ALTER TABLE "authorisation" ADD COLUMN "notification_uri" text;--> statement-breakpoint
ALTER TABLE "authorisation" ADD COLUMN "notification_content" text[];--> statement-breakpoint
ALTER TABLE "webhook" ADD COLUMN "tpp_id" text;--> statement-breakpoint
ALTER TABLE "webhook" ADD COLUMN "url" text;--> statement-breakpoint
ALTER TABLE "webhook" ADD COLUMN "failure" text;--> statement-breakpoint
ALTER TABLE "webhook" ADD COLUMN "taken_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "webhook_of_tpp" ON "webhook" USING btree ("tpp_id","id");--> statement-breakpoint
CREATE INDEX "webhook_due" ON "webhook" USING btree ("due_at") WHERE "webhook"."taken_at" is null;--> statement-breakpoint
ALTER TABLE "webhook" ADD CONSTRAINT "webhook_url" CHECK (("webhook"."tpp_id" is null) = ("webhook"."url" is null));--> statement-breakpoint
ALTER TABLE "webhook" ADD CONSTRAINT "webhook_type" CHECK ("webhook"."type" in ('permission.given', 'permission.first_used', 'permission.ended', 'payment.initiated', 'tpp.blocked', 'resource.status'));--> statement-breakpoint
-- The one way of a notification into the outbox. Of one resource in the order of its changes: whoever changes it holds its row.
CREATE FUNCTION "notification_enqueue"("asked" "authorisation", "said" jsonb) RETURNS void LANGUAGE sql AS $$
	INSERT INTO "webhook" ("type", "resource", "data", "at", "tpp_id", "url") VALUES ('resource.status', 'notified ' || asked."resource_id",
		jsonb_build_object(CASE asked."kind" WHEN 'PIS' THEN 'paymentId' ELSE 'consentId' END, asked."resource_id") || said,
		clock_timestamp() + make_interval(secs => coalesce((SELECT "offset_milliseconds" FROM "sandbox_clock"), 0) / 1000.0),
		asked."tpp_id", asked."notification_uri")
$$;--> statement-breakpoint
CREATE FUNCTION "sca_notification"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM "notification_enqueue"(NEW, jsonb_build_object('authorisationId', NEW."id", 'scaStatus', NEW."sca_status"));
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "authorisation_notification" AFTER UPDATE OF "sca_status" ON "authorisation" FOR EACH ROW
	WHEN (NEW."sca_status" <> OLD."sca_status" AND 'SCA' = ANY (NEW."notification_content")) EXECUTE FUNCTION "sca_notification"();--> statement-breakpoint
CREATE FUNCTION "resource_notification"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	asked "authorisation";
	is_last boolean := NEW."status" IN ('rejected', 'expired', 'revokedByPsu', 'terminatedByTpp', 'ACSC', 'ACCC', 'RJCT');
BEGIN
	IF TG_TABLE_NAME = 'payment_state' THEN
		SELECT "authorisation".* INTO asked FROM "payment" JOIN "authorisation" ON "authorisation"."id" = "payment"."authorisation_id"
			WHERE "payment"."id" = NEW."payment_id";
	ELSE
		SELECT * INTO asked FROM "authorisation" WHERE "id" = NEW."authorisation_id";
	END IF;
	IF 'PROCESS' = ANY (asked."notification_content") OR is_last AND 'LAST' = ANY (asked."notification_content") THEN
		PERFORM "notification_enqueue"(asked, jsonb_build_object(TG_ARGV[0], NEW."status"));
	END IF;
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "account_consent_notification" AFTER UPDATE ON "account_consent" FOR EACH ROW
	WHEN (NEW."status" <> OLD."status") EXECUTE FUNCTION "resource_notification"('consentStatus');--> statement-breakpoint
CREATE TRIGGER "payment_state_notification" AFTER UPDATE ON "payment_state" FOR EACH ROW
	WHEN (NEW."status" <> OLD."status") EXECUTE FUNCTION "resource_notification"('transactionStatus');
