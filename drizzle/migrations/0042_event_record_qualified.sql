-- As before, without a search_path of their own: to set one and set it back for each row costs more than the row. Their
-- rights are the owner's, so each name says its schema; a role's temporary types and tables would be found before any other.
CREATE OR REPLACE FUNCTION "event_pseudonym"("of_psu" text, "in_month" date) RETURNS uuid
	LANGUAGE sql STABLE SECURITY DEFINER AS $$
	SELECT pg_catalog.encode(pg_catalog.substr(pg_catalog.sha256("secret" OPERATOR(pg_catalog.||) pg_catalog.convert_to($1, 'UTF8')), 1, 16), 'hex')::pg_catalog.uuid
	FROM public."event_key" WHERE "month" OPERATOR(pg_catalog.=) $2
$$;--> statement-breakpoint
CREATE OR REPLACE FUNCTION "event_record"(
	"of_event" text, "for_retention" text, "of_tpp" text, "of_request" uuid, "of_kind" text, "of_resource" uuid, "of_psu" text, "by_actor" text, "with_detail" jsonb
) RETURNS void LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
	this_month pg_catalog.date;
	pseudonym pg_catalog.uuid;
	reason pg_catalog.text := pg_catalog.current_setting('drawbridge.reason', true);
	request pg_catalog.text := pg_catalog.current_setting('drawbridge.request', true);
	actor pg_catalog.text := pg_catalog.current_setting('drawbridge.actor', true);
BEGIN
	IF of_psu IS NOT NULL THEN
		this_month := pg_catalog.date_trunc('month', pg_catalog.timezone('UTC', pg_catalog.clock_timestamp()));
		pseudonym := public."event_pseudonym"(of_psu, this_month);
		IF pseudonym IS NULL THEN
			INSERT INTO public."event_key" VALUES (this_month,
				pg_catalog.uuid_send(pg_catalog.gen_random_uuid()) OPERATOR(pg_catalog.||) pg_catalog.uuid_send(pg_catalog.gen_random_uuid()))
				ON CONFLICT DO NOTHING;
			pseudonym := public."event_pseudonym"(of_psu, this_month);
		END IF;
	END IF;
	IF reason OPERATOR(pg_catalog.<>) '' THEN
		with_detail := pg_catalog.jsonb_build_object('reason', reason) OPERATOR(pg_catalog.||) with_detail;
	END IF;
	INSERT INTO public."event" ("retention", "at", "kind", "tpp_id", "request_id", "resource_kind", "resource_id", "subject", "actor", "detail")
		VALUES (for_retention,
			pg_catalog.clock_timestamp() OPERATOR(pg_catalog.+) pg_catalog.make_interval(secs =>
				coalesce((SELECT "offset_milliseconds" FROM public."sandbox_clock"), 0) OPERATOR(pg_catalog./) 1000.0),
			of_event, of_tpp,
			coalesce(of_request, CASE WHEN request OPERATOR(pg_catalog.<>) '' THEN request::pg_catalog.uuid END),
			of_kind, of_resource, pseudonym,
			coalesce(by_actor, CASE WHEN actor OPERATOR(pg_catalog.<>) '' THEN actor END), with_detail);
END $$;--> statement-breakpoint
CREATE OR REPLACE FUNCTION "payment_status_changed"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
	IF TG_OP OPERATOR(pg_catalog.=) 'INSERT' OR NEW."status" OPERATOR(pg_catalog.<>) OLD."status" THEN
		INSERT INTO public."payment_status_change" VALUES (NEW."payment_id", NEW."status", NEW."status_at", NEW."reason");
	END IF;
	RETURN NULL;
END $$;
