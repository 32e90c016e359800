-- PostgreSQL parses a check anew in each statement that inserts; that events have no other retention is held by their partitions.
ALTER TABLE "event" DROP CONSTRAINT "event_retention";--> statement-breakpoint
-- Takes the indexes of partitions that have been made before, as the changelog shows for a large table: otherwise what
-- records events waits while it is built.
DROP INDEX "event_of_kind";--> statement-breakpoint
CREATE INDEX "event_of_kind" ON "event" USING btree ("kind","recorded_at") WHERE "event"."kind" not in ('consent-requested', 'payment-requested');--> statement-breakpoint
-- As before, but a request for a consent or payment, the most frequent event that is written while a TPP waits, is written by
-- its trigger itself. It has no PSU, reason or actor yet, and the time of the bank's clock is in the row. Its rights are the
-- owner's, so each name says its schema.
CREATE FUNCTION "authorisation_requested_event"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
	INSERT INTO public."event" ("retention", "at", "kind", "tpp_id", "request_id", "resource_kind", "resource_id", "detail")
		VALUES ('permission', NEW."created_at",
			CASE WHEN NEW."kind" OPERATOR(pg_catalog.=) 'PIS' THEN 'payment-requested' ELSE 'consent-requested' END,
			NEW."tpp_id", NEW."request_id", NEW."kind", NEW."resource_id", '{}');
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE OR REPLACE TRIGGER "authorisation_begun_event" AFTER INSERT ON "authorisation"
	FOR EACH ROW EXECUTE FUNCTION "authorisation_requested_event"();
