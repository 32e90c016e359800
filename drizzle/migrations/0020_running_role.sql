-- The role of the running server owns nothing and is given less than all (lib/postgres/migrate.ts). What it may not
-- write itself is written by functions that run as their owner, and find no table but those meant.
ALTER FUNCTION "ledger_account_add_up"() SECURITY DEFINER SET search_path = public, pg_temp;--> statement-breakpoint
ALTER FUNCTION "payment_status_changed"() SECURITY DEFINER SET search_path = public, pg_temp;--> statement-breakpoint
-- Whatever is asked for, and whatever the time of the sandbox: no line goes that is younger than the profile says
-- (a test compares the two).
CREATE FUNCTION "access_log_destroy"("before" timestamptz, "most" integer) RETURNS integer
	LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
	WITH "gone" AS (
		DELETE FROM "access_log" WHERE "id" = ANY (ARRAY(
			SELECT "id" FROM "access_log" WHERE "at" < least($1, now() - interval '397 days')
			ORDER BY "at" LIMIT $2 FOR UPDATE SKIP LOCKED))
		RETURNING "id")
	SELECT count(*)::integer FROM "gone"
$$;--> statement-breakpoint
REVOKE EXECUTE ON FUNCTION "access_log_destroy"(timestamptz, integer) FROM PUBLIC;
