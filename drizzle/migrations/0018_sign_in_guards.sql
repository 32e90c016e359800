CREATE TABLE "psu_language" (
	"psu_id" text PRIMARY KEY NOT NULL,
	"language" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sign_in_throttle" (
	"key" text PRIMARY KEY NOT NULL,
	"failures" smallint NOT NULL,
	"since" timestamp (3) with time zone NOT NULL,
	"last_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "psu_attempts" DROP CONSTRAINT "psu_attempts_failures";--> statement-breakpoint
ALTER TABLE "psu_attempts" ADD COLUMN "second_failures" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "psu_attempts" ADD COLUMN "notices_due" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "sign_in_throttle_age" ON "sign_in_throttle" USING btree ("last_at");--> statement-breakpoint
-- Blocked for good by the rule before, whatever had failed: it stays so until a passkey or the bank lifts it.
UPDATE "psu_attempts" SET "second_failures" = 10, "notices_due" = 3 WHERE "blocked_before" AND "failures" >= 5;--> statement-breakpoint
ALTER TABLE "psu_attempts" DROP COLUMN "blocked_before";--> statement-breakpoint
ALTER TABLE "psu_attempts" ADD CONSTRAINT "psu_attempts_failures" CHECK ("psu_attempts"."failures" >= 0 and "psu_attempts"."second_failures" >= 0);