CREATE TABLE "psu_passkey" (
	"id" uuid PRIMARY KEY NOT NULL,
	"credential_id" text NOT NULL,
	"psu_id" text NOT NULL,
	"public_key" text NOT NULL,
	"counter" bigint NOT NULL,
	"transports" text[] NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	"removed_at" timestamp (3) with time zone,
	CONSTRAINT "psu_passkey_credential_id_unique" UNIQUE("credential_id"),
	CONSTRAINT "psu_passkey_counter" CHECK ("psu_passkey"."counter" >= 0)
);
--> statement-breakpoint
ALTER TABLE "sandbox_message" ALTER COLUMN "code" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "authorisation" ADD COLUMN "passkey_nonce" text;--> statement-breakpoint
ALTER TABLE "authorisation" ADD COLUMN "passkey_expires_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "psu_passkey_of_psu" ON "psu_passkey" USING btree ("psu_id","created_at") WHERE "psu_passkey"."removed_at" is null;--> statement-breakpoint
ALTER TABLE "authorisation" ADD CONSTRAINT "authorisation_passkey_challenge_whole" CHECK (("authorisation"."passkey_nonce" is null) = ("authorisation"."passkey_expires_at" is null));