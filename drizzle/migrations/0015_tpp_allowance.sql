CREATE TABLE "tpp_allowance" (
	"tpp_id" text PRIMARY KEY NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"leased" integer NOT NULL,
	"latest" integer NOT NULL,
	CONSTRAINT "tpp_allowance_leased" CHECK ("tpp_allowance"."leased" > 0 and "tpp_allowance"."latest" > 0)
);--> statement-breakpoint
-- A lease waits for no disk and no standby; a crash forgets a minute.
ALTER TABLE "tpp_allowance" SET UNLOGGED;
