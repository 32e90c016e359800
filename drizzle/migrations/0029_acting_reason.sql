-- As before, and with the reason that the transaction or the connection says, where the event has none of its own.
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
		VALUES (for_retention, clock_timestamp() + make_interval(secs => coalesce(moved, 0) / 1000.0), of_event, of_tpp, of_request,
			of_kind, of_resource, pseudonym, coalesce(by_actor, nullif(current_setting('drawbridge.actor', true), '')), with_detail);
END $$;
