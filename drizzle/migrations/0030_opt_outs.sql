CREATE TABLE "opt_out" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "opt_out_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"psu_id" text NOT NULL,
	"tpp_id" text,
	"kind" text NOT NULL,
	"set_at" timestamp (3) with time zone NOT NULL,
	"set_by" text DEFAULT nullif(current_setting('drawbridge.actor', true), ''),
	"ended_at" timestamp (3) with time zone,
	"ended_by" text,
	CONSTRAINT "opt_out_kind" CHECK ("opt_out"."kind" in ('accounts', 'funds', 'payments')),
	CONSTRAINT "opt_out_ended" CHECK ("opt_out"."ended_at" is not null or "opt_out"."ended_by" is null)
);
--> statement-breakpoint
DROP INDEX "authorisation_of_psu";--> statement-breakpoint
ALTER TABLE "opt_out" ADD CONSTRAINT "opt_out_tpp_id_tpp_id_fk" FOREIGN KEY ("tpp_id") REFERENCES "public"."tpp"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "opt_out_standing" ON "opt_out" USING btree ("psu_id","kind",coalesce("tpp_id", '')) WHERE "opt_out"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "opt_out_of_psu" ON "opt_out" USING btree ("psu_id","id") WHERE "opt_out"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "authorisation_of_psu" ON "authorisation" USING btree ("psu_id","created_at","id");--> statement-breakpoint
CREATE TRIGGER "opt_out_immutable" BEFORE UPDATE ON "opt_out" FOR EACH ROW
	WHEN (OLD."ended_at" IS NOT NULL OR (OLD."id", OLD."psu_id", OLD."tpp_id", OLD."kind", OLD."set_at", OLD."set_by")
		IS DISTINCT FROM (NEW."id", NEW."psu_id", NEW."tpp_id", NEW."kind", NEW."set_at", NEW."set_by"))
	EXECUTE FUNCTION "refuse_change"();--> statement-breakpoint
CREATE TRIGGER "opt_out_stays" BEFORE DELETE ON "opt_out"
	FOR EACH ROW EXECUTE FUNCTION "refuse_change"();--> statement-breakpoint
CREATE TRIGGER "opt_out_kept" BEFORE TRUNCATE ON "opt_out"
	FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();--> statement-breakpoint
CREATE FUNCTION "opt_out_event"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM "event_record"(CASE TG_OP WHEN 'INSERT' THEN 'opt-out-set' ELSE 'opt-out-ended' END, 'permission', NEW."tpp_id", NULL, NULL,
		NULL, NEW."psu_id", CASE TG_OP WHEN 'INSERT' THEN NEW."set_by" ELSE NEW."ended_by" END,
		jsonb_build_object('kind', NEW."kind"));
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "opt_out_event" AFTER INSERT OR UPDATE ON "opt_out" FOR EACH ROW EXECUTE FUNCTION "opt_out_event"();
