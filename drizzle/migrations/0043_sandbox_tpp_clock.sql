CREATE TABLE "sandbox_tpp_clock" (
	"tpp_id" text PRIMARY KEY NOT NULL,
	"ahead_seconds" integer NOT NULL,
	CONSTRAINT "sandbox_tpp_clock_ahead" CHECK ("sandbox_tpp_clock"."ahead_seconds" > 0)
);
--> statement-breakpoint
ALTER TABLE "oidc_payload" ADD COLUMN "client_id" text;