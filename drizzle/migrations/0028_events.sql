CREATE SEQUENCE "public"."event_id" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1;--> statement-breakpoint
CREATE TABLE "event" (
	"id" bigint DEFAULT nextval('event_id') NOT NULL,
	"retention" text NOT NULL,
	"recorded_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"kind" text NOT NULL,
	"tpp_id" text,
	"request_id" uuid,
	"resource_kind" text,
	"resource_id" uuid,
	"subject" uuid,
	"actor" text,
	"detail" jsonb NOT NULL,
	CONSTRAINT "event_recorded_at_id_retention_pk" PRIMARY KEY("recorded_at","id","retention"),
	CONSTRAINT "event_retention" CHECK ("event"."retention" in ('security', 'permission', 'administration'))
) PARTITION BY LIST ("retention");
--> statement-breakpoint
CREATE TABLE "event_key" (
	"month" date PRIMARY KEY NOT NULL,
	"secret" "bytea" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "event_seal" (
	"number" integer PRIMARY KEY NOT NULL,
	"from" timestamp with time zone NOT NULL,
	"to" timestamp with time zone NOT NULL,
	"parts" jsonb NOT NULL,
	"digest" text NOT NULL,
	"sealed_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"sent_at" timestamp with time zone,
	CONSTRAINT "event_seal_digest_unique" UNIQUE("digest")
);
--> statement-breakpoint
CREATE TABLE "legal_hold" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "legal_hold_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"subject_kind" text NOT NULL,
	"subject" text NOT NULL,
	"reason" text NOT NULL,
	"placed_by" text NOT NULL,
	"placed_at" timestamp (3) with time zone NOT NULL,
	"released_by" text,
	"released_at" timestamp (3) with time zone,
	CONSTRAINT "legal_hold_subject" CHECK ("legal_hold"."subject_kind" in ('customer', 'tpp', 'resource')),
	CONSTRAINT "legal_hold_released" CHECK (("legal_hold"."released_at" is null) = ("legal_hold"."released_by" is null))
);
--> statement-breakpoint
CREATE INDEX "event_of_resource" ON "event" USING btree ("resource_id","recorded_at") WHERE "event"."resource_id" is not null;--> statement-breakpoint
CREATE INDEX "event_of_subject" ON "event" USING btree ("subject","recorded_at") WHERE "event"."subject" is not null;--> statement-breakpoint
CREATE INDEX "event_of_tpp" ON "event" USING btree ("tpp_id","recorded_at") WHERE "event"."tpp_id" is not null;--> statement-breakpoint
CREATE INDEX "event_of_request" ON "event" USING btree ("request_id") WHERE "event"."request_id" is not null;--> statement-breakpoint
-- Each retention has its own months. What comes when a month has no partition, as after a long pause without any server,
-- goes to the last one, so that no request fails for it.
CREATE TABLE "event_security" PARTITION OF "event" FOR VALUES IN ('security') PARTITION BY RANGE ("recorded_at");--> statement-breakpoint
CREATE TABLE "event_permission" PARTITION OF "event" FOR VALUES IN ('permission') PARTITION BY RANGE ("recorded_at");--> statement-breakpoint
CREATE TABLE "event_administration" PARTITION OF "event" FOR VALUES IN ('administration') PARTITION BY RANGE ("recorded_at");--> statement-breakpoint
CREATE TABLE "event_security_other" PARTITION OF "event_security" DEFAULT;--> statement-breakpoint
CREATE TABLE "event_permission_other" PARTITION OF "event_permission" DEFAULT;--> statement-breakpoint
CREATE TABLE "event_administration_other" PARTITION OF "event_administration" DEFAULT;--> statement-breakpoint
CREATE TRIGGER "event_immutable" BEFORE UPDATE OR DELETE ON "event"
	FOR EACH ROW EXECUTE FUNCTION "refuse_change"();--> statement-breakpoint
CREATE TRIGGER "event_kept" BEFORE TRUNCATE ON "event"
	FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();--> statement-breakpoint
CREATE TRIGGER "event_seal_immutable" BEFORE UPDATE ON "event_seal" FOR EACH ROW
	WHEN (OLD."sent_at" IS NOT NULL OR (OLD."number", OLD."from", OLD."to", OLD."parts", OLD."digest", OLD."sealed_at")
		IS DISTINCT FROM (NEW."number", NEW."from", NEW."to", NEW."parts", NEW."digest", NEW."sealed_at"))
	EXECUTE FUNCTION "refuse_change"();--> statement-breakpoint
CREATE TRIGGER "event_seal_stays" BEFORE DELETE ON "event_seal"
	FOR EACH ROW EXECUTE FUNCTION "refuse_change"();--> statement-breakpoint
CREATE TRIGGER "event_seal_kept" BEFORE TRUNCATE ON "event_seal"
	FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();--> statement-breakpoint
CREATE TRIGGER "legal_hold_immutable" BEFORE UPDATE ON "legal_hold" FOR EACH ROW
	WHEN (OLD."released_at" IS NOT NULL OR (OLD."id", OLD."subject_kind", OLD."subject", OLD."reason", OLD."placed_by", OLD."placed_at")
		IS DISTINCT FROM (NEW."id", NEW."subject_kind", NEW."subject", NEW."reason", NEW."placed_by", NEW."placed_at"))
	EXECUTE FUNCTION "refuse_change"();--> statement-breakpoint
CREATE TRIGGER "legal_hold_kept" BEFORE DELETE ON "legal_hold"
	FOR EACH ROW EXECUTE FUNCTION "refuse_change"();--> statement-breakpoint
-- Partitions and keys of this month and so many after it, made before they are needed: to make them takes a lock.
CREATE FUNCTION "event_months_ahead"("months" integer) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '2s' AS $$
DECLARE
	first date := date_trunc('month', clock_timestamp() AT TIME ZONE 'UTC');
	month date;
	class text;
	part text;
BEGIN
	IF to_regclass(format('event_administration_%s', to_char(first + make_interval(months => months), 'YYYY_MM'))) IS NOT NULL THEN
		RETURN;
	END IF;
	-- Of servers that start at once, one makes them.
	PERFORM pg_advisory_xact_lock(hashtext('event_months_ahead'));
	FOR ahead IN 0..months LOOP
		month := first + make_interval(months => ahead);
		INSERT INTO "event_key" VALUES (month, uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())) ON CONFLICT DO NOTHING;
		FOREACH class IN ARRAY ARRAY['security', 'permission', 'administration'] LOOP
			part := format('event_%s_%s', class, to_char(month, 'YYYY_MM'));
			CONTINUE WHEN to_regclass(part) IS NOT NULL;
			-- Attached when it is whole: to create it as a partition would keep all inserts waiting.
			EXECUTE format('CREATE TABLE %I (LIKE "event" INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', part);
			EXECUTE format('CREATE TRIGGER %I BEFORE TRUNCATE ON %I FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"()', part || '_kept', part);
			EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', 'event_' || class, part,
				month::text || ' 00:00:00+00', (month + interval '1 month')::date::text || ' 00:00:00+00');
		END LOOP;
	END LOOP;
END $$;--> statement-breakpoint
-- A customer is another one each month to somebody who has not got that month's key.
CREATE FUNCTION "event_pseudonym"("of_psu" text, "in_month" date) RETURNS uuid
	LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
	SELECT encode(substr(sha256("secret" || convert_to($1, 'UTF8')), 1, 16), 'hex')::uuid FROM "event_key" WHERE "month" = $2
$$;--> statement-breakpoint
-- In every month of which there is a key: what a search for a customer looks for.
CREATE FUNCTION "event_pseudonyms"("of_psu" text) RETURNS uuid[]
	LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
	SELECT array_agg("event_pseudonym"($1, "month")) FROM "event_key"
$$;--> statement-breakpoint
-- The one way in. Who acts for the bank is said by the transaction or the connection, where it is not the caller.
CREATE FUNCTION "event_record"(
	"of_event" text, "for_retention" text, "of_tpp" text, "of_request" uuid, "of_kind" text, "of_resource" uuid, "of_psu" text, "by_actor" text, "with_detail" jsonb
) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
	moved bigint;
	this_month date;
	pseudonym uuid;
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
	INSERT INTO "event" ("retention", "at", "kind", "tpp_id", "request_id", "resource_kind", "resource_id", "subject", "actor", "detail")
		VALUES (for_retention, clock_timestamp() + make_interval(secs => coalesce(moved, 0) / 1000.0), of_event, of_tpp, of_request,
			of_kind, of_resource, pseudonym, coalesce(by_actor, nullif(current_setting('drawbridge.actor', true), '')), with_detail);
END $$;--> statement-breakpoint
CREATE FUNCTION "authorisation_event"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	proof jsonb;
BEGIN
	IF TG_OP = 'INSERT' THEN
		PERFORM "event_record"(CASE NEW."kind" WHEN 'PIS' THEN 'payment-requested' ELSE 'consent-requested' END, 'permission',
			NEW."tpp_id", NEW."request_id", NEW."kind", NEW."resource_id", NULL, NULL, '{}');
		RETURN NULL;
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
CREATE TRIGGER "authorisation_begun_event" AFTER INSERT ON "authorisation"
	FOR EACH ROW EXECUTE FUNCTION "authorisation_event"();--> statement-breakpoint
CREATE TRIGGER "authorisation_changed_event" AFTER UPDATE ON "authorisation" FOR EACH ROW
	WHEN (NEW."sca_status" <> OLD."sca_status" OR NEW."proofs" <> OLD."proofs") EXECUTE FUNCTION "authorisation_event"();--> statement-breakpoint
CREATE FUNCTION "consent_event"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM "event_record"('consent-status', 'permission', NEW."tpp_id", NULL, TG_ARGV[0], NEW."id", NEW."psu_id", NULL,
		jsonb_build_object('from', OLD."status", 'to', NEW."status"));
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "account_consent_event" AFTER UPDATE ON "account_consent" FOR EACH ROW
	WHEN (NEW."status" <> OLD."status") EXECUTE FUNCTION "consent_event"('AIS');--> statement-breakpoint
CREATE TRIGGER "funds_consent_event" AFTER UPDATE ON "funds_consent" FOR EACH ROW
	WHEN (NEW."status" <> OLD."status") EXECUTE FUNCTION "consent_event"('PIIS');--> statement-breakpoint
CREATE FUNCTION "payment_event"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM "event_record"('payment-status', 'permission', (SELECT "tpp_id" FROM "payment" WHERE "id" = NEW."payment_id"), NULL, 'PIS',
		NEW."payment_id", NEW."psu_id", NULL,
		jsonb_strip_nulls(jsonb_build_object('from', OLD."status", 'to', NEW."status", 'because', NEW."reason")));
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "payment_state_event" AFTER UPDATE ON "payment_state" FOR EACH ROW
	WHEN (NEW."status" <> OLD."status") EXECUTE FUNCTION "payment_event"();--> statement-breakpoint
-- An attempt is counted before it is judged; the one that blocks is marked when it has failed.
CREATE FUNCTION "psu_attempt_event"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF NEW."judged" THEN
		PERFORM "event_record"('psu-blocked', 'security', NULL, NULL, NULL, NULL, NULL, NULL, jsonb_build_object('user', NEW."user_key"));
	ELSE
		PERFORM "event_record"('sca-attempt', 'security', NULL, NULL, NULL, NULL, NULL, NULL, jsonb_build_object('user', NEW."user_key",
			'element', CASE WHEN NEW."second_failures" > coalesce(OLD."second_failures", 0) THEN 'second' ELSE 'first' END));
	END IF;
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "psu_attempts_first_event" AFTER INSERT ON "psu_attempts"
	FOR EACH ROW EXECUTE FUNCTION "psu_attempt_event"();--> statement-breakpoint
CREATE TRIGGER "psu_attempts_event" AFTER UPDATE ON "psu_attempts" FOR EACH ROW
	WHEN (NEW."judged" AND NOT OLD."judged" OR NOT NEW."judged" AND (NEW."last_at" <> OLD."last_at" OR NEW."failures" > OLD."failures"))
	EXECUTE FUNCTION "psu_attempt_event"();--> statement-breakpoint
-- A session in which SCA is not done yet is a sign-in that is under way; its end is none of a session.
CREATE FUNCTION "psu_session_event"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM "event_record"(CASE TG_OP WHEN 'INSERT' THEN 'session-opened' ELSE 'session-ended' END, 'security', NULL, NULL, NULL, NULL,
		NEW."psu_id", NULL, jsonb_build_object('purpose', NEW."purpose", 'sca', NEW."sca_done_at" IS NOT NULL));
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "psu_session_opened_event" AFTER INSERT ON "psu_session"
	FOR EACH ROW EXECUTE FUNCTION "psu_session_event"();--> statement-breakpoint
CREATE TRIGGER "psu_session_ended_event" AFTER UPDATE ON "psu_session" FOR EACH ROW
	WHEN (NEW."revoked_at" IS NOT NULL AND OLD."revoked_at" IS NULL) EXECUTE FUNCTION "psu_session_event"();--> statement-breakpoint
CREATE FUNCTION "psu_passkey_event"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM "event_record"(CASE TG_OP WHEN 'INSERT' THEN 'passkey-added' ELSE 'passkey-removed' END, 'permission', NULL, NULL, NULL, NULL,
		NEW."psu_id", NULL, jsonb_build_object('passkey', NEW."id"));
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "psu_passkey_added_event" AFTER INSERT ON "psu_passkey"
	FOR EACH ROW EXECUTE FUNCTION "psu_passkey_event"();--> statement-breakpoint
CREATE TRIGGER "psu_passkey_removed_event" AFTER UPDATE ON "psu_passkey" FOR EACH ROW
	WHEN (NEW."removed_at" IS NOT NULL AND OLD."removed_at" IS NULL) EXECUTE FUNCTION "psu_passkey_event"();--> statement-breakpoint
CREATE FUNCTION "tpp_event"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM "event_record"('tpp-seen', 'administration', NEW."id", NULL, NULL, NULL, NULL, NULL,
		jsonb_build_object('name', NEW."name", 'authority', NEW."authority_id", 'roles', NEW."roles"));
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "tpp_event" AFTER INSERT OR UPDATE ON "tpp" FOR EACH ROW EXECUTE FUNCTION "tpp_event"();--> statement-breakpoint
CREATE FUNCTION "tpp_block_event"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'INSERT' THEN
		PERFORM "event_record"('tpp-blocked', 'administration', NEW."tpp_id", NULL, NULL, NULL, NULL, NULL,
			jsonb_strip_nulls(jsonb_build_object('reason', NEW."reason", 'until', NEW."until")));
	ELSE
		PERFORM "event_record"('tpp-unblocked', 'administration', NEW."tpp_id", NULL, NULL, NULL, NULL, NULL,
			jsonb_build_object('order', NEW."id"));
	END IF;
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "tpp_block_event" AFTER INSERT ON "tpp_block" FOR EACH ROW EXECUTE FUNCTION "tpp_block_event"();--> statement-breakpoint
CREATE TRIGGER "tpp_block_lifted_event" AFTER UPDATE ON "tpp_block" FOR EACH ROW
	WHEN (NEW."lifted_at" IS NOT NULL AND OLD."lifted_at" IS NULL) EXECUTE FUNCTION "tpp_block_event"();--> statement-breakpoint
CREATE FUNCTION "legal_hold_event"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM "event_record"(CASE TG_OP WHEN 'INSERT' THEN 'hold-placed' ELSE 'hold-released' END, 'administration', NULL, NULL, NULL, NULL,
		NULL, CASE TG_OP WHEN 'INSERT' THEN NEW."placed_by" ELSE NEW."released_by" END,
		jsonb_build_object('hold', NEW."id", 'about', NEW."subject_kind", 'reason', NEW."reason"));
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "legal_hold_event" AFTER INSERT OR UPDATE ON "legal_hold"
	FOR EACH ROW EXECUTE FUNCTION "legal_hold_event"();--> statement-breakpoint
-- Removes a month of one retention, and says so. Whatever is asked for, none that is younger than lib/domain/events.ts says (a
-- test compares the two), and none with an event that is held. False where it stays.
CREATE FUNCTION "event_remove_month"("of_retention" text, "of_month" date) RETURNS boolean
	LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '2s' AS $$
DECLARE
	part text := format('event_%s_%s', of_retention, to_char(of_month, 'YYYY_MM'));
	kept interval := CASE of_retention WHEN 'security' THEN interval '18 months' WHEN 'permission' THEN interval '72 months'
		WHEN 'administration' THEN interval '120 months' END;
	is_held boolean;
BEGIN
	IF of_month + interval '1 month' + kept > now() AT TIME ZONE 'UTC' OR to_regclass(part) IS NULL THEN
		RETURN false;
	END IF;
	EXECUTE format('SELECT EXISTS (SELECT FROM "legal_hold" AS "hold" WHERE "released_at" IS NULL AND CASE "subject_kind"
		WHEN ''customer'' THEN EXISTS (SELECT FROM %1$I WHERE "subject" = "event_pseudonym"("hold"."subject", $1))
		WHEN ''tpp'' THEN EXISTS (SELECT FROM %1$I WHERE "tpp_id" = "hold"."subject")
		ELSE EXISTS (SELECT FROM %1$I WHERE "resource_id"::text = "hold"."subject") END)', part) INTO is_held USING of_month;
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
END $$;--> statement-breakpoint
SELECT "event_months_ahead"(3);--> statement-breakpoint
CREATE OR REPLACE FUNCTION "note_funds_question"(
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
		PERFORM "event_record"('funds-search', 'security', of_tpp, of_request, 'PIIS', of_consent, NULL, NULL, '{}');
	END IF;
	RETURN extract(epoch FROM wait);
END $$;--> statement-breakpoint
-- What an earlier release has recorded, at its time.
INSERT INTO "event" ("retention", "at", "kind", "tpp_id", "request_id", "resource_kind", "resource_id", "subject", "detail")
	SELECT CASE WHEN "psu_id" IS NULL THEN 'security' ELSE 'permission' END, "at", "kind", "tpp_id", "request_id",
		CASE WHEN "consent_id" IS NOT NULL THEN 'PIIS' END, "consent_id",
		"event_pseudonym"("psu_id", date_trunc('month', now() AT TIME ZONE 'UTC')::date),
		jsonb_strip_nulls(jsonb_build_object('passkey', "passkey_id")) FROM "audit_event" ORDER BY "id";--> statement-breakpoint
DROP TABLE "audit_event" CASCADE;
