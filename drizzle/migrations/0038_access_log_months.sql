-- RFC 9562 5.7: milliseconds of the epoch in 48 bits, then random ones. PostgreSQL has one of its own from 18 on.
CREATE FUNCTION "uuid_v7"() RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE AS $$
	SELECT encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid()) PLACING
		substring(int8send((extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3) FROM 1 FOR 6), 52, 1), 53, 1), 'hex')::uuid
$$;--> statement-breakpoint
ALTER TABLE "access_log" RENAME TO "access_log_whole";--> statement-breakpoint
ALTER INDEX "access_log_of_consent" RENAME TO "access_log_whole_of_consent";--> statement-breakpoint
ALTER INDEX "access_log_age" RENAME TO "access_log_whole_age";--> statement-breakpoint
-- Servers of the release before write and read it as ever: "id" goes on in the order of the reads, without a sequence.
CREATE TABLE "access_log" (
	"read_id" uuid DEFAULT uuid_v7() NOT NULL,
	"id" bigint DEFAULT (extract(epoch from clock_timestamp()) * 1000000)::bigint NOT NULL,
	"consent_id" uuid NOT NULL,
	"tpp_id" text NOT NULL,
	"what" text NOT NULL,
	"account_id" text,
	"at" timestamp (3) with time zone NOT NULL,
	"attended" boolean NOT NULL,
	CONSTRAINT "access_log_what" CHECK ("access_log"."what" in ('accounts', 'accounts-with-balances', 'account-details', 'account-details-with-balances', 'balances', 'transactions', 'transaction', 'funds-check'))
) PARTITION BY RANGE ("at");
--> statement-breakpoint
-- What comes when its month has no partition, as after a long pause without any server, or in a sandbox whose clock was moved.
CREATE TABLE "access_log_other" PARTITION OF "access_log" DEFAULT;--> statement-breakpoint
CREATE INDEX "access_log_of_consent" ON "access_log" USING btree ("consent_id","at","read_id");--> statement-breakpoint
CREATE INDEX "access_log_age" ON "access_log" USING btree ("at");--> statement-breakpoint
CREATE TRIGGER "access_log_immutable" BEFORE UPDATE ON "access_log"
	FOR EACH ROW EXECUTE FUNCTION "refuse_change"();--> statement-breakpoint
-- A month of lines, with those that have come before its partition; false when there is one.
CREATE FUNCTION "access_log_month"("of_month" date) RETURNS boolean
	LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '2s' AS $$
DECLARE
	part text := format('access_log_%s', to_char(of_month, 'YYYY_MM'));
	since timestamptz := of_month::timestamp AT TIME ZONE 'UTC';
	until timestamptz := (of_month + interval '1 month') AT TIME ZONE 'UTC';
BEGIN
	IF to_regclass(part) IS NOT NULL THEN
		RETURN false;
	END IF;
	-- Attached when it is whole: to create it as a partition would keep all inserts waiting.
	EXECUTE format('CREATE TABLE %I (LIKE "access_log" INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', part);
	EXECUTE format('WITH moved AS (DELETE FROM "access_log_other" WHERE "at" >= $1 AND "at" < $2 RETURNING *) INSERT INTO %I SELECT * FROM moved', part)
		USING since, until;
	EXECUTE format('ALTER TABLE "access_log" ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', part, since, until);
	RETURN true;
END $$;--> statement-breakpoint
-- Partitions of this month and so many after it, made before they are needed: to make them takes a lock.
CREATE FUNCTION "access_log_months_ahead"("months" integer) RETURNS void
	LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
	first date := date_trunc('month', clock_timestamp() AT TIME ZONE 'UTC');
BEGIN
	IF to_regclass(format('access_log_%s', to_char(first + make_interval(months => least(months, 12)), 'YYYY_MM'))) IS NOT NULL THEN
		RETURN;
	END IF;
	-- Of servers that start at once, one makes them.
	PERFORM pg_advisory_xact_lock(hashtext('access_log_months_ahead'));
	FOR ahead IN 0..least(months, 12) LOOP
		PERFORM "access_log_month"((first + make_interval(months => ahead))::date);
	END LOOP;
END $$;--> statement-breakpoint
-- Months whose last line is older than both; a lock that does not come at once is tried for again with the next turn.
CREATE FUNCTION "access_log_remove_months"("before" timestamptz) RETURNS integer
	LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '100ms' AS $$
DECLARE
	kept_from timestamp := least(before, now() - interval '397 days') AT TIME ZONE 'UTC';
	part text;
	gone integer := 0;
BEGIN
	FOR part IN SELECT relname FROM pg_class WHERE relispartition AND relkind = 'r' AND relname ~ '^access_log_\d{4}_\d{2}$'
		AND to_date(right(relname, 7), 'YYYY_MM') + interval '1 month' <= kept_from ORDER BY relname LOOP
		EXECUTE format('DROP TABLE %I', part);
		gone := gone + 1;
	END LOOP;
	RETURN gone;
EXCEPTION WHEN lock_not_available THEN
	RETURN 0;
END $$;--> statement-breakpoint
-- Of lines without a month only: those of a month go with it.
CREATE OR REPLACE FUNCTION "access_log_destroy"("before" timestamptz, "most" integer) RETURNS integer
	LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
	WITH "gone" AS (
		DELETE FROM "access_log_other" WHERE "ctid" = ANY (ARRAY(
			SELECT "ctid" FROM "access_log_other" WHERE "at" < least($1, now() - interval '397 days')
			ORDER BY "at" LIMIT $2 FOR UPDATE SKIP LOCKED))
		RETURNING "at")
	SELECT count(*)::integer FROM "gone"
$$;--> statement-breakpoint
REVOKE ALL ON FUNCTION "access_log_month"(date), "access_log_months_ahead"(integer), "access_log_remove_months"(timestamptz) FROM PUBLIC;--> statement-breakpoint
-- The months of the lines there are, this one and the next three.
SELECT "access_log_month"("month"::date) FROM generate_series(
	date_trunc('month', now() AT TIME ZONE 'UTC') - interval '14 months',
	date_trunc('month', now() AT TIME ZONE 'UTC') + interval '3 months', interval '1 month') AS "month"
	WHERE "month" >= date_trunc('month', now() AT TIME ZONE 'UTC')
		OR EXISTS (SELECT FROM "access_log_whole" WHERE "at" >= "month" AT TIME ZONE 'UTC' AND "at" < ("month" + interval '1 month') AT TIME ZONE 'UTC');--> statement-breakpoint
-- In place of a random number an old line has its number, so that lines of one instant keep their order.
INSERT INTO "access_log" SELECT
	(lpad(to_hex((extract(epoch FROM "at") * 1000)::bigint), 12, '0') || '70008' || lpad(to_hex("id"), 15, '0'))::uuid,
	"id", "consent_id", "tpp_id", "what", "account_id", "at", "attended" FROM "access_log_whole";--> statement-breakpoint
DROP TABLE "access_log_whole";--> statement-breakpoint
ALTER TABLE "payment_state" DROP CONSTRAINT "payment_state_authorised";--> statement-breakpoint
ALTER TABLE "payment_state" ADD COLUMN "authorisation_lost" boolean DEFAULT false NOT NULL;--> statement-breakpoint
-- Not validated, which would read the whole table: what was asked of the rows before was more.
ALTER TABLE "payment_state" ADD CONSTRAINT "payment_state_authorised" CHECK ("payment_state"."status" in ('RCVD', 'RJCT') or "payment_state"."authorisation_lost" or ("payment_state"."psu_id" is not null and "payment_state"."authorised_at" is not null and "payment_state"."debit_account_id" is not null and "payment_state"."debit_currency" is not null and "payment_state"."debit_minor" > 0 and "payment_state"."fee_minor" >= 0)) NOT VALID;
