ALTER TABLE "psu" ADD COLUMN "tpp_id" text;--> statement-breakpoint
CREATE INDEX "psu_of_namespace" ON "psu" USING btree ("tpp_id") WHERE "psu"."tpp_id" is not null;