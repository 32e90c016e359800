DROP INDEX "authorisation_of_tpp";--> statement-breakpoint
ALTER TABLE "authorisation" ADD COLUMN "open_slot" integer;--> statement-breakpoint
CREATE UNIQUE INDEX "authorisation_open_slot" ON "authorisation" USING btree ("tpp_id","open_slot") WHERE "authorisation"."decided_at" is null;--> statement-breakpoint
CREATE INDEX "authorisation_open_redirect_uri" ON "authorisation" USING btree ("tpp_id","redirect_uri","expires_at") WHERE "authorisation"."decided_at" is null;