-- As before, and a hold on a consent or payment counts also where its id was given in capital letters.
CREATE OR REPLACE FUNCTION "event_remove_month"("of_retention" text, "of_month" date) RETURNS boolean
	LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '100ms' AS $$
DECLARE
	part text := format('event_%s_%s', of_retention, to_char(of_month, 'YYYY_MM'));
	kept interval := CASE of_retention WHEN 'security' THEN interval '18 months' WHEN 'permission' THEN interval '72 months'
		WHEN 'administration' THEN interval '120 months' END;
	is_held boolean;
BEGIN
	IF of_month + interval '1 month' + kept > now() AT TIME ZONE 'UTC' OR to_regclass(part) IS NULL THEN
		RETURN false;
	END IF;
	LOCK TABLE "legal_hold" IN SHARE MODE;
	EXECUTE format('SELECT EXISTS (SELECT FROM "legal_hold" AS "hold" WHERE "released_at" IS NULL AND CASE "subject_kind"
		WHEN ''customer'' THEN EXISTS (SELECT FROM %1$I WHERE "subject" = "event_pseudonym"("hold"."subject", $1))
		WHEN ''tpp'' THEN EXISTS (SELECT FROM %1$I WHERE "tpp_id" = "hold"."subject")
		ELSE CASE WHEN "hold"."subject" ~* ''^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$''
			THEN EXISTS (SELECT FROM %1$I WHERE "resource_id" = "hold"."subject"::uuid) ELSE false END END)', part) INTO is_held USING of_month;
	IF is_held THEN
		RETURN false;
	END IF;
	EXECUTE format('DROP TABLE %I', part);
	IF NOT EXISTS (SELECT FROM unnest(ARRAY['security', 'permission', 'administration']) AS "class"
		WHERE to_regclass(format('event_%s_%s', "class", to_char(of_month, 'YYYY_MM'))) IS NOT NULL) THEN
		DELETE FROM "event_key" WHERE "month" = of_month;
	END IF;
	PERFORM "event_record"('events-removed', 'administration', NULL, NULL, NULL, NULL, NULL, NULL,
		jsonb_build_object('retention', of_retention, 'month', to_char(of_month, 'YYYY-MM')));
	RETURN true;
EXCEPTION WHEN lock_not_available THEN
	RETURN false;
END $$;
