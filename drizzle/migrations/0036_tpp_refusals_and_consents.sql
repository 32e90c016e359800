DROP INDEX "account_consent_one_recurring";--> statement-breakpoint
ALTER TABLE "account_consent" ADD COLUMN "sole" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "refused_request" ADD COLUMN "explanation" jsonb;--> statement-breakpoint
CREATE UNIQUE INDEX "account_consent_one_recurring" ON "account_consent" USING btree ("tpp_id","psu_id") WHERE "account_consent"."recurring_indicator" and "account_consent"."status" = 'valid' and "account_consent"."sole";