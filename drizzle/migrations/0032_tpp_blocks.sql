CREATE TABLE "consent_count" (
	"tpp_id" text,
	"kind" text NOT NULL,
	"status" text NOT NULL,
	"count" bigint NOT NULL,
	CONSTRAINT "consent_count_of_tpp" UNIQUE NULLS NOT DISTINCT("tpp_id","kind","status")
);
--> statement-breakpoint
CREATE TABLE "day_count" (
	"day" date NOT NULL,
	"what" text NOT NULL,
	"tpp_id" text,
	"value" text,
	"part" text,
	"count" bigint NOT NULL,
	CONSTRAINT "day_count_of_tpp" UNIQUE NULLS NOT DISTINCT("tpp_id","day","what","value","part")
);
--> statement-breakpoint
CREATE TABLE "day_count_position" (
	"id" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"counted_to" timestamp with time zone NOT NULL,
	CONSTRAINT "day_count_position_one_row" CHECK ("day_count_position"."id")
);
--> statement-breakpoint
CREATE TABLE "job_run" (
	"name" text PRIMARY KEY NOT NULL,
	"ended_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "tpp_block_request" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"action" text NOT NULL,
	"tpp_id" text NOT NULL,
	"basis" text NOT NULL,
	"reason" text NOT NULL,
	"until" timestamp (3) with time zone,
	"secrecy" text,
	"secrecy_reason" text,
	"requested_by" text NOT NULL,
	"requested_at" timestamp (3) with time zone NOT NULL,
	"outcome" text,
	"decided_by" text,
	"decided_at" timestamp (3) with time zone,
	"note" text,
	"report" jsonb,
	CONSTRAINT "tpp_block_request_action" CHECK ("tpp_block_request"."action" in ('block', 'unblock')),
	CONSTRAINT "tpp_block_request_basis" CHECK ("tpp_block_request"."basis" in ('unauthorised-access', 'authority-order', 'request-of-tpp', 'certificate-compromised', 'reasons-over', 'blocked-by-mistake')),
	CONSTRAINT "tpp_block_request_secrecy" CHECK ("tpp_block_request"."secrecy" in ('security', 'law')),
	CONSTRAINT "tpp_block_request_outcome" CHECK ("tpp_block_request"."outcome" in ('approved', 'refused', 'withdrawn')),
	CONSTRAINT "tpp_block_request_decided" CHECK (num_nulls("tpp_block_request"."outcome", "tpp_block_request"."decided_by", "tpp_block_request"."decided_at") in (0, 3)),
	CONSTRAINT "tpp_block_request_secrecy_reason" CHECK (("tpp_block_request"."secrecy" is null) = ("tpp_block_request"."secrecy_reason" is null)),
	CONSTRAINT "tpp_block_request_four_eyes" CHECK (("tpp_block_request"."outcome" = 'withdrawn') = ("tpp_block_request"."decided_by" = "tpp_block_request"."requested_by")),
	CONSTRAINT "tpp_block_request_report" CHECK (coalesce("tpp_block_request"."outcome" = 'approved', false) = ("tpp_block_request"."report" is not null))
);
--> statement-breakpoint
CREATE INDEX "day_count_of_day" ON "day_count" USING btree ("day");--> statement-breakpoint
CREATE UNIQUE INDEX "tpp_block_request_open" ON "tpp_block_request" USING btree ("tpp_id") WHERE "tpp_block_request"."outcome" is null;--> statement-breakpoint
CREATE INDEX "tpp_block_request_of_tpp" ON "tpp_block_request" USING btree ("tpp_id","requested_at");--> statement-breakpoint
CREATE INDEX "tpp_block_request_newest" ON "tpp_block_request" USING btree ("requested_at","id");--> statement-breakpoint
CREATE INDEX "account_consent_valid" ON "account_consent" USING btree ("tpp_id","psu_id") WHERE "account_consent"."status" = 'valid';--> statement-breakpoint
CREATE INDEX "funds_consent_valid" ON "funds_consent" USING btree ("tpp_id","psu_id") WHERE "funds_consent"."status" = 'valid';--> statement-breakpoint
-- What was requested stays as it was, and is decided once.
CREATE TRIGGER "tpp_block_request_immutable" BEFORE UPDATE ON "tpp_block_request" FOR EACH ROW
	WHEN (OLD."outcome" IS NOT NULL OR (OLD."id", OLD."action", OLD."tpp_id", OLD."basis", OLD."reason", OLD."until", OLD."secrecy", OLD."secrecy_reason", OLD."requested_by", OLD."requested_at")
		IS DISTINCT FROM (NEW."id", NEW."action", NEW."tpp_id", NEW."basis", NEW."reason", NEW."until", NEW."secrecy", NEW."secrecy_reason", NEW."requested_by", NEW."requested_at"))
	EXECUTE FUNCTION "refuse_change"();--> statement-breakpoint
CREATE TRIGGER "tpp_block_request_kept" BEFORE DELETE ON "tpp_block_request"
	FOR EACH ROW EXECUTE FUNCTION "refuse_change"();--> statement-breakpoint
CREATE TRIGGER "tpp_block_request_kept_whole" BEFORE TRUNCATE ON "tpp_block_request"
	FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();--> statement-breakpoint
CREATE FUNCTION "tpp_block_request_event"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	told jsonb := jsonb_build_object('request', NEW."id", 'action', NEW."action", 'basis', NEW."basis");
BEGIN
	IF NEW."outcome" IS NULL THEN
		PERFORM "event_record"('tpp-block-requested', 'administration', NEW."tpp_id", NULL, NULL, NULL, NULL, NEW."requested_by",
			told || jsonb_strip_nulls(jsonb_build_object('reason', NEW."reason", 'until', NEW."until", 'secrecy', NEW."secrecy", 'secrecyReason', NEW."secrecy_reason")));
	ELSE
		PERFORM "event_record"(CASE NEW."outcome" WHEN 'approved' THEN 'tpp-block-approved' WHEN 'refused' THEN 'tpp-block-refused'
			ELSE 'tpp-block-withdrawn' END, 'administration', NEW."tpp_id", NULL, NULL, NULL, NULL, NEW."decided_by",
			told || jsonb_strip_nulls(jsonb_build_object('note', NEW."note")));
	END IF;
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "tpp_block_request_event" AFTER INSERT OR UPDATE ON "tpp_block_request"
	FOR EACH ROW EXECUTE FUNCTION "tpp_block_request_event"();
--> statement-breakpoint
-- What is counted begins here.
INSERT INTO "day_count_position" ("counted_to") VALUES (clock_timestamp());--> statement-breakpoint
INSERT INTO "consent_count" ("tpp_id", "kind", "status", "count")
	SELECT "counted"."tpp_id", "kind", "status", count(*) FROM (
		SELECT "tpp_id", 'AIS' AS "kind", "status" FROM "account_consent"
		UNION ALL SELECT "tpp_id", 'PIIS', "status" FROM "funds_consent") AS "consent"
	CROSS JOIN LATERAL (VALUES ("consent"."tpp_id"), (NULL)) AS "counted" ("tpp_id") GROUP BY 1, 2, 3;
