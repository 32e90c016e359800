ALTER TABLE "psu_attempts" ADD COLUMN "means" text DEFAULT 'password' NOT NULL;--> statement-breakpoint
ALTER TABLE "psu_session" ADD COLUMN "means" text;--> statement-breakpoint
CREATE INDEX "event_of_kind" ON "event" USING btree ("kind","recorded_at");--> statement-breakpoint
ALTER TABLE "psu_attempts" ADD CONSTRAINT "psu_attempts_means" CHECK ("psu_attempts"."means" in ('password', 'code', 'passkey'));--> statement-breakpoint
ALTER TABLE "psu_session" ADD CONSTRAINT "psu_session_means" CHECK ("psu_session"."means" in ('password', 'code', 'passkey', 'oidc'));--> statement-breakpoint
-- What belongs to the running role alone is given to it by name.
REVOKE ALL ON FUNCTION "event_months_ahead", "event_pseudonym", "event_pseudonyms", "event_record", "event_remove_month" FROM PUBLIC;--> statement-breakpoint
-- What came while its month had no partition moves to it: until then the partition could not be attached.
CREATE OR REPLACE FUNCTION "event_months_ahead"("months" integer) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '2s' AS $$
DECLARE
	last date := date_trunc('month', clock_timestamp() AT TIME ZONE 'UTC') + make_interval(months => least(months, 12));
	month date;
	class text;
	part text;
	since timestamptz;
	until timestamptz;
	first date;
BEGIN
	IF to_regclass(format('event_administration_%s', to_char(last, 'YYYY_MM'))) IS NOT NULL THEN
		RETURN;
	END IF;
	-- Of servers that start at once, one makes them.
	PERFORM pg_advisory_xact_lock(hashtext('event_months_ahead'));
	FOREACH class IN ARRAY ARRAY['security', 'permission', 'administration'] LOOP
		EXECUTE format('SELECT date_trunc(''month'', min("recorded_at") AT TIME ZONE ''UTC'') FROM %I', 'event_' || class || '_other') INTO first;
		month := least(first, date_trunc('month', clock_timestamp() AT TIME ZONE 'UTC')::date);
		WHILE month <= last LOOP
			INSERT INTO "event_key" VALUES (month, uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())) ON CONFLICT DO NOTHING;
			part := format('event_%s_%s', class, to_char(month, 'YYYY_MM'));
			since := month::timestamp AT TIME ZONE 'UTC';
			until := (month + interval '1 month') AT TIME ZONE 'UTC';
			month := month + interval '1 month';
			CONTINUE WHEN to_regclass(part) IS NOT NULL;
			-- Attached when it is whole: to create it as a partition would keep all inserts waiting.
			EXECUTE format('CREATE TABLE %I (LIKE "event" INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', part);
			IF first IS NOT NULL THEN
				EXECUTE format('ALTER TABLE %I DISABLE TRIGGER "event_immutable"', 'event_' || class || '_other');
				EXECUTE format('WITH moved AS (DELETE FROM %I WHERE "recorded_at" >= $1 AND "recorded_at" < $2 RETURNING *) INSERT INTO %I SELECT * FROM moved',
					'event_' || class || '_other', part) USING since, until;
				EXECUTE format('ALTER TABLE %I ENABLE TRIGGER "event_immutable"', 'event_' || class || '_other');
			END IF;
			EXECUTE format('CREATE TRIGGER %I BEFORE TRUNCATE ON %I FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"()', part || '_kept', part);
			EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', 'event_' || class, part, since, until);
		END LOOP;
	END LOOP;
END $$;--> statement-breakpoint
-- As before, and with the request that the transaction says, where the row that changes has none.
CREATE OR REPLACE FUNCTION "event_record"(
	"of_event" text, "for_retention" text, "of_tpp" text, "of_request" uuid, "of_kind" text, "of_resource" uuid, "of_psu" text, "by_actor" text, "with_detail" jsonb
) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
	moved bigint;
	this_month date;
	pseudonym uuid;
	said text := nullif(current_setting('drawbridge.reason', true), '');
BEGIN
	SELECT "offset_milliseconds" INTO moved FROM "sandbox_clock";
	IF of_psu IS NOT NULL THEN
		this_month := date_trunc('month', clock_timestamp() AT TIME ZONE 'UTC');
		pseudonym := "event_pseudonym"(of_psu, this_month);
		IF pseudonym IS NULL THEN
			INSERT INTO "event_key" VALUES (this_month, uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())) ON CONFLICT DO NOTHING;
			pseudonym := "event_pseudonym"(of_psu, this_month);
		END IF;
	END IF;
	IF said IS NOT NULL THEN
		with_detail := jsonb_build_object('reason', said) || with_detail;
	END IF;
	INSERT INTO "event" ("retention", "at", "kind", "tpp_id", "request_id", "resource_kind", "resource_id", "subject", "actor", "detail")
		VALUES (for_retention, clock_timestamp() + make_interval(secs => coalesce(moved, 0) / 1000.0), of_event, of_tpp,
			coalesce(of_request, nullif(current_setting('drawbridge.request', true), '')::uuid), of_kind, of_resource, pseudonym,
			coalesce(by_actor, nullif(current_setting('drawbridge.actor', true), '')), with_detail);
END $$;--> statement-breakpoint
CREATE OR REPLACE FUNCTION "authorisation_event"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	proof jsonb;
BEGIN
	IF TG_OP = 'INSERT' THEN
		PERFORM "event_record"(CASE NEW."kind" WHEN 'PIS' THEN 'payment-requested' ELSE 'consent-requested' END, 'permission',
			NEW."tpp_id", NEW."request_id", NEW."kind", NEW."resource_id", NULL, NULL, '{}');
		RETURN NULL;
	END IF;
	IF NEW."failed_attempts" > OLD."failed_attempts" THEN
		PERFORM "event_record"('sca-attempt', 'security', NEW."tpp_id", NULL, NEW."kind", NEW."resource_id", NEW."psu_id", NULL, '{}');
	END IF;
	IF NEW."sca_status" <> OLD."sca_status" THEN
		PERFORM "event_record"('sca-status', 'permission', NEW."tpp_id", NULL, NEW."kind", NEW."resource_id", NEW."psu_id", NULL,
			jsonb_strip_nulls(jsonb_build_object('from', OLD."sca_status", 'to', NEW."sca_status", 'because', NEW."failed_because")));
	END IF;
	IF NEW."proofs" <> OLD."proofs" THEN
		FOR proof IN SELECT * FROM jsonb_array_elements(NEW."proofs") OFFSET jsonb_array_length(OLD."proofs") LOOP
			PERFORM "event_record"('sca-proved', 'permission', NEW."tpp_id", NULL, NEW."kind", NEW."resource_id", NEW."psu_id", NULL,
				proof - 'at');
		END LOOP;
	END IF;
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE OR REPLACE TRIGGER "authorisation_changed_event" AFTER UPDATE ON "authorisation" FOR EACH ROW
	WHEN (NEW."sca_status" <> OLD."sca_status" OR NEW."proofs" <> OLD."proofs" OR NEW."failed_attempts" > OLD."failed_attempts")
	EXECUTE FUNCTION "authorisation_event"();--> statement-breakpoint
CREATE OR REPLACE FUNCTION "psu_attempt_event"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF NEW."judged" THEN
		PERFORM "event_record"('psu-blocked', 'security', NULL, NULL, NULL, NULL, NULL, NULL, jsonb_build_object('user', NEW."user_key"));
	ELSE
		PERFORM "event_record"('sca-attempt', 'security', NULL, NULL, NULL, NULL, NULL, NULL,
			jsonb_build_object('user', NEW."user_key", 'means', NEW."means"));
	END IF;
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE OR REPLACE FUNCTION "psu_session_event"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM "event_record"(CASE TG_OP WHEN 'INSERT' THEN 'session-opened' ELSE 'session-ended' END, 'security', NULL, NULL, NULL, NULL,
		NEW."psu_id", NULL, jsonb_strip_nulls(jsonb_build_object('purpose', NEW."purpose", 'sca', NEW."sca_done_at" IS NOT NULL, 'means', NEW."means")));
	RETURN NULL;
END $$;--> statement-breakpoint
-- Tokens are a TPP's from the exchange of a code, or of the refresh token before, until their grant is revoked or is over.
CREATE FUNCTION "token_event"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	changed "oidc_payload" := coalesce(NEW, OLD);
	started "authorisation";
BEGIN
	IF TG_OP = 'DELETE' AND OLD."expires_at" <= clock_timestamp()
		+ make_interval(secs => coalesce((SELECT "offset_milliseconds" FROM "sandbox_clock"), 0) / 1000.0) THEN
		RETURN NULL;
	END IF;
	IF changed."account_id" ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN
		SELECT * INTO started FROM "authorisation" WHERE "id" = changed."account_id"::uuid;
	END IF;
	PERFORM "event_record"(CASE changed."model" WHEN 'RefreshToken' THEN 'tokens-issued' ELSE 'tokens-revoked' END, 'security',
		started."tpp_id", NULL, started."kind", started."resource_id", started."psu_id", NULL,
		CASE WHEN changed."model" = 'RefreshToken'
			THEN jsonb_build_object('for', CASE WHEN (changed."payload"->>'rotations')::int > 0 THEN 'refresh-token' ELSE 'code' END) ELSE '{}' END);
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "tokens_issued_event" AFTER INSERT ON "oidc_payload" FOR EACH ROW
	WHEN (NEW."model" IN ('RefreshToken', 'RevokedAccessToken')) EXECUTE FUNCTION "token_event"();--> statement-breakpoint
CREATE TRIGGER "grant_revoked_event" AFTER DELETE ON "oidc_payload" FOR EACH ROW
	WHEN (OLD."model" = 'Grant') EXECUTE FUNCTION "token_event"();--> statement-breakpoint
-- A partition goes with a lock on the whole retention. It is waited for so long that requests which come meanwhile do not
-- notice, and otherwise tried again. A hold that is being placed is waited for, and one that comes later finds what is left.
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
		ELSE CASE WHEN "hold"."subject" ~ ''^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$''
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
