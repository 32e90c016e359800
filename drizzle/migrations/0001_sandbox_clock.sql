CREATE TABLE "sandbox_clock" (
	"id" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"offset_milliseconds" bigint NOT NULL,
	CONSTRAINT "sandbox_clock_one_row" CHECK ("sandbox_clock"."id")
);
--> statement-breakpoint
DROP INDEX "sandbox_message_of_psu";--> statement-breakpoint
CREATE INDEX "sandbox_message_of_psu" ON "sandbox_message" USING btree ("psu_id","id");