CREATE TABLE "ledger_day" (
	"account_id" uuid NOT NULL,
	"day" date NOT NULL,
	"booked_minor" bigint NOT NULL,
	"pending_minor" bigint NOT NULL,
	CONSTRAINT "ledger_day_account_id_day_pk" PRIMARY KEY("account_id","day")
);
--> statement-breakpoint
-- How many passkeys a PSU has added lately is counted with those that were removed.
DROP INDEX "psu_passkey_of_psu";--> statement-breakpoint
ALTER TABLE "ledger_account" ADD COLUMN "booked_minor" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "ledger_account" ADD COLUMN "pending_minor" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "ledger_account" ADD COLUMN "reserved_minor" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "ledger_account" ADD COLUMN "undated_minor" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "ledger_account" ADD COLUMN "changed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "ledger_day" ADD CONSTRAINT "ledger_day_account_id_ledger_account_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."ledger_account"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "psu_passkey_of_psu" ON "psu_passkey" USING btree ("psu_id","created_at");--> statement-breakpoint
-- Adds what was entered, or is there after a change, and takes away what was there before it; once for a
-- statement, and not for a row, or an import would write the account's row as often as it has entries.
-- Every account in it is locked by then ("ledger_entry_stamp"). Its plans are kept for as long as a
-- connection is: without the settings, one that was made for an import would go on reading all accounts.
CREATE FUNCTION "ledger_account_add_up"() RETURNS trigger LANGUAGE plpgsql
	SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
	"is_new" boolean := TG_ARGV[0] = 'new';
	"sign" integer := CASE WHEN "is_new" THEN 1 ELSE -1 END;
BEGIN
	UPDATE "ledger_account" "account" SET
		"revision" = "account"."revision" + CASE WHEN "is_new" THEN 1 ELSE 0 END,
		"booked_minor" = "account"."booked_minor" + "sign" * "moved"."booked",
		"pending_minor" = "account"."pending_minor" + "sign" * "moved"."pending",
		"reserved_minor" = "account"."reserved_minor" + "sign" * "moved"."reserved",
		"undated_minor" = "account"."undated_minor" + "sign" * "moved"."undated",
		"changed_at" = CASE WHEN "is_new" THEN greatest("account"."changed_at", "moved"."changed_at") ELSE "account"."changed_at" END
	FROM (
		SELECT "account_id",
			coalesce(sum("amount_minor") FILTER (WHERE "status" = 'booked'), 0) AS "booked",
			coalesce(sum("amount_minor") FILTER (WHERE "status" = 'pending'), 0) AS "pending",
			coalesce(sum("amount_minor") FILTER (WHERE "status" = 'pending' AND "amount_minor" < 0), 0) AS "reserved",
			coalesce(sum("amount_minor") FILTER (WHERE "status" = 'pending' AND "value_on" IS NULL), 0) AS "undated",
			max("changed_at") AS "changed_at"
		FROM "changed" GROUP BY "account_id"
	) "moved"
	WHERE "account"."id" = "moved"."account_id" AND "account"."kind" <> 'internal';
	-- Of a booked entry the booking date, of a pending one the value date.
	INSERT INTO "ledger_day" AS "known" ("account_id", "day", "booked_minor", "pending_minor")
	SELECT "moved"."account_id", "moved"."day", "sign" * "moved"."booked", "sign" * "moved"."pending"
	FROM (
		SELECT "account_id", coalesce("booked_on", "value_on") AS "day",
			coalesce(sum("amount_minor") FILTER (WHERE "status" = 'booked'), 0) AS "booked",
			coalesce(sum("amount_minor") FILTER (WHERE "status" = 'pending'), 0) AS "pending"
		FROM "changed" GROUP BY "account_id", coalesce("booked_on", "value_on")
	) "moved" JOIN "ledger_account" "account" ON "account"."id" = "moved"."account_id"
	WHERE "account"."kind" <> 'internal' AND "moved"."day" IS NOT NULL
	ON CONFLICT ("account_id", "day") DO UPDATE SET
		"booked_minor" = "known"."booked_minor" + excluded."booked_minor",
		"pending_minor" = "known"."pending_minor" + excluded."pending_minor";
	RETURN NULL;
END $$;--> statement-breakpoint
DROP TRIGGER "ledger_entry_entered" ON "ledger_entry";--> statement-breakpoint
DROP TRIGGER "ledger_entry_booked" ON "ledger_entry";--> statement-breakpoint
DROP FUNCTION "ledger_account_count_revision"();--> statement-breakpoint
CREATE TRIGGER "ledger_entry_entered" AFTER INSERT ON "ledger_entry"
	REFERENCING NEW TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "ledger_account_add_up"('new');--> statement-breakpoint
CREATE TRIGGER "ledger_entry_booked" AFTER UPDATE ON "ledger_entry"
	REFERENCING NEW TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "ledger_account_add_up"('new');--> statement-breakpoint
CREATE TRIGGER "ledger_entry_before" AFTER UPDATE ON "ledger_entry"
	REFERENCING OLD TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "ledger_account_add_up"('old');--> statement-breakpoint
-- What is in the books by now.
UPDATE "ledger_account" "account" SET
	"booked_minor" = "moved"."booked", "pending_minor" = "moved"."pending",
	"reserved_minor" = "moved"."reserved", "undated_minor" = "moved"."undated", "changed_at" = "moved"."changed_at"
FROM (
	SELECT "account_id",
		coalesce(sum("amount_minor") FILTER (WHERE "status" = 'booked'), 0) AS "booked",
		coalesce(sum("amount_minor") FILTER (WHERE "status" = 'pending'), 0) AS "pending",
		coalesce(sum("amount_minor") FILTER (WHERE "status" = 'pending' AND "amount_minor" < 0), 0) AS "reserved",
		coalesce(sum("amount_minor") FILTER (WHERE "status" = 'pending' AND "value_on" IS NULL), 0) AS "undated",
		max("changed_at") AS "changed_at"
	FROM "ledger_entry" GROUP BY "account_id"
) "moved"
WHERE "account"."id" = "moved"."account_id" AND "account"."kind" <> 'internal';--> statement-breakpoint
INSERT INTO "ledger_day" ("account_id", "day", "booked_minor", "pending_minor")
SELECT "entry"."account_id", coalesce("entry"."booked_on", "entry"."value_on"),
	coalesce(sum("entry"."amount_minor") FILTER (WHERE "entry"."status" = 'booked'), 0),
	coalesce(sum("entry"."amount_minor") FILTER (WHERE "entry"."status" = 'pending'), 0)
FROM "ledger_entry" "entry" JOIN "ledger_account" "account" ON "account"."id" = "entry"."account_id"
WHERE "account"."kind" <> 'internal' AND coalesce("entry"."booked_on", "entry"."value_on") IS NOT NULL
GROUP BY "entry"."account_id", coalesce("entry"."booked_on", "entry"."value_on");--> statement-breakpoint
-- The books are the truth: nobody says what they add up to but the function above.
CREATE FUNCTION "ledger_sums_follow_entries"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION 'what entries add up to is changed by entries alone' USING ERRCODE = 'integrity_constraint_violation';
END $$;--> statement-breakpoint
CREATE TRIGGER "ledger_account_opened_at_zero" BEFORE INSERT ON "ledger_account" FOR EACH ROW
	WHEN ((NEW."booked_minor", NEW."pending_minor", NEW."reserved_minor", NEW."undated_minor") <> (0, 0, 0, 0) OR NEW."changed_at" IS NOT NULL)
	EXECUTE FUNCTION "ledger_sums_follow_entries"();--> statement-breakpoint
CREATE TRIGGER "ledger_account_sums_kept" BEFORE UPDATE ON "ledger_account" FOR EACH ROW
	WHEN (pg_trigger_depth() = 0 AND (NEW."booked_minor", NEW."pending_minor", NEW."reserved_minor", NEW."undated_minor", NEW."changed_at")
		IS DISTINCT FROM (OLD."booked_minor", OLD."pending_minor", OLD."reserved_minor", OLD."undated_minor", OLD."changed_at"))
	EXECUTE FUNCTION "ledger_sums_follow_entries"();--> statement-breakpoint
CREATE TRIGGER "ledger_account_stays_internal" BEFORE UPDATE OF "kind" ON "ledger_account" FOR EACH ROW
	WHEN ((NEW."kind" = 'internal') <> (OLD."kind" = 'internal'))
	EXECUTE FUNCTION "ledger_sums_follow_entries"();--> statement-breakpoint
CREATE TRIGGER "ledger_day_kept" BEFORE INSERT OR UPDATE OR DELETE ON "ledger_day" FOR EACH ROW
	WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION "ledger_sums_follow_entries"();--> statement-breakpoint
CREATE TRIGGER "ledger_day_kept_whole" BEFORE TRUNCATE ON "ledger_day"
	FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();--> statement-breakpoint
-- Balance plus overdraft less what is reserved: money that is still on its way here is not counted. None
-- of an internal account, whose entries are not added up.
CREATE OR REPLACE VIEW "account_funds" AS SELECT "account"."id" AS "account_id",
	"account"."overdraft_minor" + "account"."booked_minor" + "account"."reserved_minor" AS "available_minor"
FROM "ledger_account" "account" WHERE "account"."kind" <> 'internal';
