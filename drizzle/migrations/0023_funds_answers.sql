-- A core bank answers whether amounts are there, and not how much there is: of the amount that is asked about, and of
-- the highest that was there and the lowest that was not.
ALTER TABLE "funds_search" ADD COLUMN "currency" char(3);--> statement-breakpoint
DROP FUNCTION "note_funds_question"(text, text, uuid, uuid, bigint, bigint, timestamptz, integer, interval, numeric, integer, interval);--> statement-breakpoint
CREATE FUNCTION "note_funds_question"(
	"of_account" text, "of_tpp" text, "of_consent" uuid, "of_request" uuid, "amount" bigint, "in_currency" char(3), "covered" bigint, "lacking" bigint, "instant" timestamptz,
	"amounts_max" integer, "amounts_kept" interval, "closest" numeric, "close_max" integer, "bounds_kept" interval
) RETURNS double precision LANGUAGE plpgsql AS $$
DECLARE
	known "funds_search";
	recent bigint[];
	recent_at timestamptz[];
	is_inside boolean;
	is_clear boolean;
	wait interval;
BEGIN
	INSERT INTO "funds_search" ("account_id", "tpp_id", "asked_minor", "asked_at", "close_amounts", "since", "forget_at")
		VALUES (of_account, of_tpp, '{}', '{}', 0, instant, instant + amounts_kept) ON CONFLICT DO NOTHING;
	SELECT * INTO known FROM "funds_search" WHERE "account_id" = of_account AND "tpp_id" = of_tpp FOR UPDATE;
	-- "covered" is the highest amount that is there now, "lacking" the lowest that is not, of those that were compared. The
	-- bounds hold while neither contradicts them. To see that they do not tells no more than to ask for the bounds
	-- themselves, which is answered. Either way of the instant: a clock that was set back keeps nobody longer.
	IF known."floor_minor" >= lacking OR known."ceiling_minor" <= covered OR known."currency" <> in_currency
		OR instant NOT BETWEEN known."since" - bounds_kept + interval '1 ms' AND known."since" + bounds_kept - interval '1 ms' THEN
		known."floor_minor" := NULL;
		known."ceiling_minor" := NULL;
		known."close_amounts" := 0;
		known."since" := instant;
	END IF;
	SELECT coalesce(array_agg(one.asked ORDER BY one.at, one.asked), '{}'), coalesce(array_agg(one.at ORDER BY one.at, one.asked), '{}')
		INTO recent, recent_at FROM unnest(known."asked_minor", known."asked_at") AS one (asked, at)
		WHERE one.at > instant - amounts_kept AND one.at < instant + amounts_kept;
	is_inside := coalesce(amount > known."floor_minor", true) AND coalesce(amount < known."ceiling_minor", true);
	is_clear := coalesce(amount >= known."floor_minor" * closest, true) AND coalesce(known."ceiling_minor" >= amount * closest, true);
	IF NOT amount = ANY (recent) AND cardinality(recent) >= amounts_max THEN
		wait := recent_at[1] + amounts_kept - instant;
	ELSIF is_inside AND NOT is_clear
		AND (num_nulls(known."floor_minor", known."ceiling_minor") = 0 OR known."close_amounts" >= close_max) THEN
		wait := known."since" + bounds_kept - instant;
	ELSE
		UPDATE "funds_search" SET
			"asked_minor" = CASE WHEN amount = ANY (recent) THEN recent ELSE recent || amount END,
			"asked_at" = CASE WHEN amount = ANY (recent) THEN recent_at ELSE recent_at || instant END,
			"floor_minor" = CASE WHEN amount <= covered THEN greatest(known."floor_minor", amount) ELSE known."floor_minor" END,
			"ceiling_minor" = CASE WHEN amount >= lacking THEN least(known."ceiling_minor", amount) ELSE known."ceiling_minor" END,
			"close_amounts" = known."close_amounts" + (is_inside AND NOT is_clear)::integer,
			"currency" = in_currency,
			"since" = known."since",
			"forget_at" = least(known."forget_at", instant + amounts_kept)
			WHERE "account_id" = of_account AND "tpp_id" = of_tpp;
		RETURN NULL;
	END IF;
	IF known."refused_at" IS NULL OR instant NOT BETWEEN known."refused_at" - amounts_kept + interval '1 ms' AND known."refused_at" + amounts_kept - interval '1 ms' THEN
		UPDATE "funds_search" SET "refused_at" = instant WHERE "account_id" = of_account AND "tpp_id" = of_tpp;
		INSERT INTO "audit_event" ("at", "kind", "tpp_id", "request_id", "consent_id")
			VALUES (instant, 'funds-search', of_tpp, of_request, of_consent);
	END IF;
	RETURN extract(epoch FROM wait);
END $$;
