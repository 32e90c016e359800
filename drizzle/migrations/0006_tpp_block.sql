CREATE TABLE "tpp_block" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "tpp_block_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"tpp_id" text NOT NULL,
	"reason" text,
	"blocked_at" timestamp (3) with time zone NOT NULL,
	"until" timestamp (3) with time zone,
	"lifted_at" timestamp (3) with time zone,
	CONSTRAINT "tpp_block_until" CHECK ("tpp_block"."until" > "tpp_block"."blocked_at")
);
--> statement-breakpoint
CREATE UNIQUE INDEX "tpp_block_not_lifted" ON "tpp_block" USING btree ("tpp_id") WHERE "tpp_block"."lifted_at" is null;--> statement-breakpoint
-- Who was blocked when stays known: an order is lifted, never removed.
CREATE TRIGGER "tpp_block_kept" BEFORE DELETE ON "tpp_block"
	FOR EACH ROW EXECUTE FUNCTION "refuse_change"();--> statement-breakpoint
CREATE TRIGGER "tpp_block_kept_whole" BEFORE TRUNCATE ON "tpp_block"
	FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change"();
