CREATE TABLE "core_bank_feed" (
	"id" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"position" text,
	CONSTRAINT "core_bank_feed_one_row" CHECK ("core_bank_feed"."id")
);
