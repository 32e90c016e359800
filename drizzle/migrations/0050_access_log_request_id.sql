-- Without scanning what was indexed before: docs/operate.md, Upgrades.
ALTER TABLE "access_log" ADD COLUMN IF NOT EXISTS "request_id" uuid;--> statement-breakpoint
CREATE INDEX "access_log_request" ON "access_log" USING btree ((("at" at time zone 'UTC')::date),"request_id") WHERE "access_log"."request_id" is not null;