ALTER TABLE "ledger_account" ADD COLUMN "revision" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "ledger_entry" ADD COLUMN "entered_in" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "ledger_entry" ADD COLUMN "booked_in" bigint;--> statement-breakpoint
ALTER TABLE "ledger_entry" ADD COLUMN "pending_day" date;--> statement-breakpoint
ALTER TABLE "oidc_payload" ADD COLUMN "rotations" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "oidc_payload" ADD COLUMN "rotated_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "account_consent_last_day" ON "account_consent" USING btree ("valid_until") WHERE "account_consent"."status" = 'valid';--> statement-breakpoint
CREATE INDEX "account_consent_since_sca" ON "account_consent" USING btree ("recurring_indicator","authorised_at") WHERE "account_consent"."status" = 'valid';--> statement-breakpoint
CREATE INDEX "authorisation_open" ON "authorisation" USING btree ("expires_at") WHERE "authorisation"."decided_at" is null;--> statement-breakpoint
CREATE INDEX "ledger_entry_booked_since" ON "ledger_entry" USING btree ("account_id","booked_in") WHERE "ledger_entry"."pending_day" is not null;--> statement-breakpoint
CREATE INDEX "psu_session_age" ON "psu_session" USING btree ("created_at");--> statement-breakpoint
-- Refresh tokens say themselves how many came before them; the newest is the one not used.
UPDATE "oidc_payload" "of" SET "rotations" = coalesce((
	SELECT max(("payload"->>'rotations')::int) FROM "oidc_payload" "token"
	WHERE "token"."model" = 'RefreshToken' AND "token"."grant_id" = "of"."grant_id" AND "token"."consumed_at" IS NULL
), 0) WHERE "of"."model" = 'Grant';--> statement-breakpoint
-- What is there was there before the first report that counts revisions.
UPDATE "ledger_entry" SET "booked_in" = 0 WHERE "status" = 'booked';--> statement-breakpoint
ALTER TABLE "ledger_entry" ADD CONSTRAINT "ledger_entry_booked_in_a_revision" CHECK (("ledger_entry"."status" = 'booked') = ("ledger_entry"."booked_in" is not null));--> statement-breakpoint
-- The lock makes one transaction after the other change an account's entries, so that revisions
-- become visible in the order of their numbers. The bank's own accounts are shown to nobody, and
-- every payment of a currency would queue there.
CREATE FUNCTION "ledger_entry_stamp"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	"next" bigint;
BEGIN
	SELECT "revision" + 1 INTO "next" FROM "ledger_account"
	WHERE "id" = NEW."account_id" AND "kind" <> 'internal' FOR NO KEY UPDATE;
	"next" := coalesce("next", 0);
	IF TG_OP = 'INSERT' THEN
		NEW."entered_in" := "next";
		NEW."booked_in" := CASE WHEN NEW."status" = 'booked' THEN "next" END;
		NEW."pending_day" := NULL;
	ELSE
		NEW."entered_in" := OLD."entered_in";
		NEW."booked_in" := CASE WHEN NEW."status" = 'booked' THEN coalesce(OLD."booked_in", "next") END;
		NEW."pending_day" := CASE
			WHEN NEW."status" = 'pending' THEN NULL
			WHEN OLD."status" = 'pending' THEN OLD."day"
			ELSE OLD."pending_day"
		END;
	END IF;
	RETURN NEW;
END $$;--> statement-breakpoint
CREATE FUNCTION "ledger_account_count_revision"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	UPDATE "ledger_account" SET "revision" = "revision" + 1
	WHERE "id" IN (SELECT "account_id" FROM "changed") AND "kind" <> 'internal';
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "ledger_entry_stamped" BEFORE INSERT OR UPDATE ON "ledger_entry"
	FOR EACH ROW EXECUTE FUNCTION "ledger_entry_stamp"();--> statement-breakpoint
CREATE TRIGGER "ledger_entry_entered" AFTER INSERT ON "ledger_entry"
	REFERENCING NEW TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "ledger_account_count_revision"();--> statement-breakpoint
CREATE TRIGGER "ledger_entry_booked" AFTER UPDATE ON "ledger_entry"
	REFERENCING NEW TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "ledger_account_count_revision"();
